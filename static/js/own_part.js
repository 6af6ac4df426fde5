// Compares what this browser remembers of a match with its record: neither may have been exchanged since.

import { keptOf } from "./kept_nonces.js";
import { nonceFingerprint } from "./shuffle.js";

// Return "holds", "differs" or, where nothing can be said, "unknown"; and the name of the sentence that says so.
export async function ownPart(started) {
  const entries = keptOf(started.match ?? "");
  if (!entries.length) return ["unknown", "own_unknown"];
  const entry = entries.find(({ commitment }) => commitment === started.commitment);
  if (!entry || entries.length > 1) return ["differs", "own_secret"];
  const { nonces = [], nonce_commitments: commitments = [] } = started;
  const own = await nonceFingerprint(entry.nonce);
  const seats = [...commitments.keys()].filter((seat) => commitments[seat] === own);
  if (!seats.length) return entry.shown ? ["differs", "own_missing"] : ["unknown", "own_late"];
  if (entry.given?.some((given, seat) => given !== (commitments[seat] || "-"))) return ["differs", "own_others"];
  if (!seats.some((seat) => nonces[seat] === entry.nonce)) return ["unknown", "own_unopened"];
  return ["holds", "own_holds"];
}
