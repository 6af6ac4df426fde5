// Shuffles by given words, or by the words of a key; one shuffle a line.

import { createInterface } from "node:readline";

import { randomWords, shuffled } from "../../static/js/shuffle.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { count, words, key, match, round, attempt, nonces } = JSON.parse(line);
  const source = words ? words.values() : randomWords(key, match, round, attempt, nonces);
  process.stdout.write(`${JSON.stringify(await shuffled(count, source))}\n`);
}
