// Which of our keys a press means. Keyboards differ in what they write: without Shift the digit row of French, Czech and
// Slovak ones has letters and signs, and Cyrillic, Greek, Hebrew and Arabic ones have no D. There the place counts.

const PLACES = { KeyD: "d", BracketLeft: "[", BracketRight: "]" };

const isLatin = (key) => /^[a-z]$/i.test(key);

// AltGr writes characters, and Windows reports it as Ctrl and Alt. On a Mac, Alt writes brackets.
const isAltGr = (event) => event.getModifierState?.("AltGraph") ?? false;
const isBracket = ({ key, altKey }) => altKey && (key === "[" || key === "]");

// Return whether a press is meant for the browser or the system.
export function isCommand(event) {
  return event.metaKey || ((event.ctrlKey || event.altKey) && !isAltGr(event) && !isBracket(event));
}

// Return the keys that a press may mean, the likeliest first.
export function keysOf(event) {
  const { key = "", code = "", shiftKey } = event;
  if (isAltGr(event)) return [key];
  if (/^Digit\d$/.test(code) && !shiftKey && key !== code.at(-1)) return [code.at(-1), key];
  return code in PLACES && !isLatin(key) && key !== PLACES[code] ? [key, PLACES[code]] : [key];
}
