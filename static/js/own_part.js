// @ts-check
// Compares this browser's stored nonce and commitment with the record of the match, to detect that the site exchanged
// them.

import { entriesOf } from "./nonce_store.js";
import { nonceFingerprint } from "./shuffle.js";

/** @import { Day } from "./day_proof.js" */
/** @import { MatchStarted } from "./record.js" */

// Return "holds", "differs" or, where the browser cannot tell, "unknown"; and the name of the sentence that explains
// it.
/** @param {Partial<MatchStarted>} started @returns {Promise<["holds" | "differs" | "unknown", string]>} */
export async function ownPart(started) {
  const entries = entriesOf(started.match ?? "");
  if (!entries.length) return ["unknown", "own_unknown"];
  const entry = entries.find(({ commitment }) => commitment === started.commitment);
  if (!entry || entries.length > 1) return ["differs", "own_secret"];
  const { nonces = [], nonce_commitments: commitments = [] } = started;
  const own = await nonceFingerprint(entry.nonce);
  const seats = [...commitments.keys()].filter((seat) => commitments[seat] === own);
  if (!seats.length) return entry.shown ? ["differs", "own_missing"] : ["unknown", "own_late"];
  if (entry.given?.some((commitment, seat) => commitment !== (commitments[seat] || "-")))
    return ["differs", "own_others"];
  if (!seats.some((seat) => nonces[seat] === entry.nonce)) return ["unknown", "own_unopened"];
  return ["holds", "own_holds"];
}

// The same for daily boards, whose proof lists the nonces. A browser does not know whether its nonce was in time.
/** @param {Day} day @returns {Promise<["holds" | "differs" | "unknown", string]>} */
export async function ownPartOfDay({ variant, date, commitment, nonces = [] }) {
  const entries = entriesOf(`daily-${variant}-${date}`);
  if (!entries.length) return ["unknown", "own_unknown_day"];
  const entry = entries.find((one) => one.commitment === commitment);
  if (!entry || entries.length > 1) return ["differs", "own_secret"];
  if (nonces.includes(entry.nonce)) return ["holds", "own_listed"];
  return ["unknown", "own_not_listed"];
}
