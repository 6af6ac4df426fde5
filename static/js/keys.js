// @ts-check
// Maps a key press to a shortcut. Keyboard layouts differ: on French, Czech and Slovak ones the digit row types
// letters and signs without Shift, and Cyrillic, Greek, Hebrew and Arabic ones have no D. There the position of the
// key decides.

/** @type {Record<string, string>} */
const BY_POSITION = { KeyD: "d", BracketLeft: "[", BracketRight: "]" };

/** @param {string} key */
const isLatin = (key) => /^[a-z]$/i.test(key);

// AltGr types characters, and Windows reports it as Ctrl+Alt. On a Mac, Alt types brackets.
/** @param {KeyboardEvent} event */
const isAltGr = (event) => event.getModifierState?.("AltGraph") ?? false;
/** @param {KeyboardEvent} event */
const isBracket = ({ key, altKey }) => altKey && (key === "[" || key === "]");

// Return whether a press is meant for the browser or the operating system.
/** @param {KeyboardEvent} event */
export function isCommand(event) {
  return event.metaKey || ((event.ctrlKey || event.altKey) && !isAltGr(event) && !isBracket(event));
}

// Return the keys that a press may mean, the likeliest first.
/** @param {KeyboardEvent} event @returns {string[]} */
export function keysOf(event) {
  const { key = "", code = "", shiftKey } = event;
  if (isAltGr(event)) return [key];
  if (/^Digit\d$/.test(code) && !shiftKey && key !== code.slice(-1)) return [code.slice(-1), key];
  return code in BY_POSITION && !isLatin(key) && key !== BY_POSITION[code] ? [key, BY_POSITION[code]] : [key];
}
