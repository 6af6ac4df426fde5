// The server's time. It is counted from the time that the page brings, not read from the device's clock, which may be
// wrong or be set during a match.

import { arrival } from "./fallbacks.js";

const match = document.getElementById("match");
// Not now: scripts run later than the page arrives.
const offset = Number(match.dataset.now) - arrival();

export const serverNow = () => performance.now() + offset;
