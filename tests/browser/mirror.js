// After every frame of the table, loads the same page again and compares it with the live one. Calls
// window.mirrored(revision, status): "shown", and then "same", "differs", or "overtaken" if the table changed before the
// page was loaded. Parts that may differ are removed from both pages.

(() => {
  const MAY_DIFFER = [
    // Clocks run between the two loads.
    ["[data-now]", (match) => match.removeAttribute("data-now")],
    // The address of the socket lists what the page contained when it was loaded.
    ["[hx-ws\\:connect]", (match) => match.removeAttribute("hx-ws:connect")],
    [
      "[data-deadline]",
      (clock) => {
        clock.textContent = "";
        clock.parentElement.classList.remove("urgent");
        clock.nextElementSibling?.removeAttribute("data-value");
      },
    ],
    [".ring", (ring) => ring.classList.remove("spare-runs")],
    [".ring rect", (ring) => ring.removeAttribute("style")],
    // The number in an opened explanation.
    [".about b > span", (number) => number.replaceChildren()],
    // The warning that time runs out.
    ["#hurry", (warning) => warning.replaceChildren()],
    // Every page masks its token differently; the form of the shuffle keeps the nonce sent last.
    ["[name=csrfmiddlewaretoken], #nonce-line input, #felt input", (field) => field.removeAttribute("value")],
    // Only the live page shows its lag.
    ["#lag", (details) => details.replaceWith()],
    // The connection state, and elements shown only with or only without scripts.
    [
      "#connection-state, #comfort, [data-full-screen], .keys-help, [data-copy], [data-only-without-script], noscript",
      (element) => element.replaceWith(),
    ],
    // A page loaded after the match lists its records; the live one has buttons for them in the hand.
    ["#records", (list) => list.replaceWith()],
    // A frame brings only the newest moves; the list to which the page appends them is compared.
    ["#moves", (newest) => newest.replaceChildren()],
    // The price of leaving is updated on load and when its details are opened.
    [".leave-company[hx-get]", (price) => price.replaceWith()],
    // Spectators are updated independently of revisions, and so are the chances to win, which no page contains.
    ["#spectators, #chances", (element) => element.replaceWith()],
    // Pages opened before the match keep the invitation, which style sheets hide.
    [".waiting", (invitation) => invitation.replaceWith()],
    // Zoom and position of the view.
    ["#lens", (lens) => lens.removeAttribute("style")],
    [".zoom", (buttons) => buttons.replaceWith()],
    // The chosen tile.
    ["#ask", (button) => button.removeAttribute("value")],
    [
      "#hand [aria-pressed]",
      (tile) => {
        tile.removeAttribute("aria-pressed");
        if (tile.name === "tile") tile.value = tile.id.match(/\d/g).join("-");
      },
    ],
    ["#choice, #spots > svg", (element) => element.replaceWith()],
    // A loaded page has a layout for every shape of the felt. The live one keeps only the one it uses.
    ["#board > svg[class]", (drawing, shape) => drawing.getAttribute("class") === shape || drawing.replaceWith()],
    // The button pressed last, until its answer comes.
    ["button[aria-disabled]", (button) => button.removeAttribute("aria-disabled")],
    // The move that is being sent.
    ["#hand .asked", (tile) => tile.classList.remove("asked")],
    // The report is added some time after the end of a match.
    ["#key-moments", (moments) => moments.replaceWith()],
    // Tiles fall for two seconds after a win.
    [".falling", (shower) => shower.replaceWith()],
    // Attributes and classes of htmx.
    ["[data-htmx-powered]", (element) => element.removeAttribute("data-htmx-powered")],
    ["[class^=htmx-], [class*=' htmx-']", (element) => element.classList.remove("htmx-added", "htmx-swapping")],
  ];
  const shapeOf = (match) => match.querySelector("#board > svg")?.getAttribute("class");
  const revisionOf = (match) => Number(match.querySelector("#sync").dataset.revision);
  const shown = new Map();
  const loaded = new Map();
  let isLeaving = false;

  // Returns a line per element or text, with sorted attributes, because morphing may change their order.
  function lines(node, result = []) {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim()) result.push(node.data.trim());
    if (node.nodeType !== Node.ELEMENT_NODE) return result;
    const attributes = [...node.attributes].filter((attribute) => attribute.name !== "class" || attribute.value);
    result.push(
      `<${[node.localName, ...attributes.map(({ name, value }) => `${name}="${value}"`).sort()].join(" ")}>`,
    );
    for (const child of node.childNodes) lines(child, result);
    return result;
  }

  function comparableLines(match, shape) {
    const copy = document.createElement("div");
    copy.append(match.cloneNode(true));
    for (const [selector, remove] of MAY_DIFFER)
      for (const element of copy.querySelectorAll(selector)) remove(element, shape);
    copy.normalize();
    return lines(copy);
  }

  function compare(revision) {
    if (isLeaving || !shown.has(revision) || !loaded.has(revision)) return;
    const { shape, lines: shownLines } = shown.get(revision);
    const loadedLines = comparableLines(loaded.get(revision), shape);
    const at = shownLines.findIndex((line, index) => line !== loadedLines[index]);
    const same = at < 0 && shownLines.length === loadedLines.length;
    const place = at < 0 ? Math.min(shownLines.length, loadedLines.length) : at;
    const excerpt = (all) => all.slice(Math.max(0, place - 2), place + 3).join("\n    ");
    window.mirrored(
      revision,
      same ? "same" : "differs",
      `shown:\n    ${excerpt(shownLines)}\n  loaded:\n    ${excerpt(loadedLines)}`,
    );
  }

  async function load(revision) {
    const response = await fetch(location.href, { cache: "no-store" });
    const match = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("match");
    loaded.set(revisionOf(match), match);
    compare(revisionOf(match));
    return revisionOf(match) === revision;
  }

  function report() {
    const match = document.getElementById("match");
    const revision = revisionOf(match);
    if (isLeaving) return;
    window.mirrored(revision, "shown");
    shown.set(revision, { shape: shapeOf(match), lines: comparableLines(match, shapeOf(match)) });
    compare(revision);
    load(revision)
      .catch(() => false) // the connection was cut
      .then((comparable) => comparable || window.mirrored(revision, "overtaken"));
  }

  // A page that is being left, for example because its viewer sits down, still receives frames for the next one.
  window.addEventListener("beforeunload", () => {
    isLeaving = true;
  });
  window.addEventListener("load", () => document.getElementById("match") && report());
  window.addEventListener("htmx:ws:after:message:incoming", () => document.getElementById("match") && report());
})();
