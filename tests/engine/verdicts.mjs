// Reads records from standard input, one a line, and writes the verdict and the findings of each.

import { createInterface } from "node:readline";

import { checkDay, isDayProof } from "../../static/js/day_proof.js";
import { check, verdict } from "../../static/js/proof.js";
import { Unreadable } from "../../static/js/record.js";

for await (const line of createInterface({ input: process.stdin })) {
  let found;
  try {
    const record = JSON.parse(line);
    const proof = await (isDayProof(record) ? checkDay(record) : check(record));
    found = { verdict: verdict(proof), findings: [...proof.match, ...proof.deals.flatMap((deal) => deal.findings)] };
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof SyntaxError)) throw error;
    found = { verdict: "unchecked", findings: [error.reason ?? ["no_json"]] };
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
