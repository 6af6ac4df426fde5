// Calls window.reportTexts(html, isTooWide) with the page once it is loaded, and then with every part that changes.

(() => {
  const reported = new Set();
  const isTooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  const partOf = (node) =>
    (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest("[id]") ?? document.body;

  function report(parts) {
    const fresh = [...parts].map((part) => part.outerHTML).filter((html) => !reported.has(html));
    for (const html of fresh) reported.add(html);
    if (fresh.length) window.reportTexts(fresh.join("\n"), isTooWide());
  }

  window.addEventListener("load", () => {
    report([document.documentElement]);
    new MutationObserver((changes) => report(new Set(changes.map(({ target }) => partOf(target))))).observe(document, {
      attributes: true,
      attributeFilter: ["aria-label", "aria-valuetext", "placeholder", "title"],
      characterData: true,
      childList: true,
      subtree: true,
    });
  });
})();
