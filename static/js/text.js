// Updates text in place. Browsers' translators may have replaced the text nodes by elements.

// Changing a text node is cheaper than replacing it, which makes :has() rules be evaluated for the whole table.
export function writeText(element, text) {
  if (element.textContent === text) return;
  const node = element.firstChild;
  if (node?.nodeType === Node.TEXT_NODE && !node.nextSibling) node.data = text;
  else element.textContent = text;
}
