// @ts-check
// Updates text in place. Browsers' translators may have replaced the text nodes by elements.

// Changing a text node is cheaper than replacing it, which makes :has() rules be evaluated for the whole table.
/** @param {Element} element @param {string} text */
export function writeText(element, text) {
  if (element.textContent === text) return;
  const node = element.firstChild;
  if (node instanceof Text && !node.nextSibling) node.data = text;
  else element.textContent = text;
}
