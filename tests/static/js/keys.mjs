// Reads key presses from standard input, one in a line, and writes which keys each may mean, null for a command.

import { createInterface } from "node:readline";

import { isCommand, keysOf } from "../../../static/js/keys.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { altGraph, ...press } = JSON.parse(line);
  const event = { ...press, getModifierState: (name) => name === "AltGraph" && Boolean(altGraph) };
  process.stdout.write(`${JSON.stringify(isCommand(event) ? null : keysOf(event))}\n`);
}
