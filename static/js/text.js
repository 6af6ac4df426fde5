// Writes text where a script keeps it up to date. Translators of browsers put elements in the place of texts.

// A changed text is less work than another node, for which the style sheets' :has() is evaluated on the whole table.
export function writeText(element, text) {
  if (element.textContent === text) return;
  const node = element.firstChild;
  if (node?.nodeType === Node.TEXT_NODE && !node.nextSibling) node.data = text;
  else element.textContent = text;
}
