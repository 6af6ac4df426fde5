// What verify_deal.mjs uses of Node.js.

declare module "node:fs" {
  export function readFileSync(path: string | number | URL): Uint8Array<ArrayBuffer>;
  export function readFileSync(path: string | number | URL, encoding: "utf8"): string;
}

interface ImportMeta {
  url: string;
}

declare const process: { argv: string[]; exitCode: number };
