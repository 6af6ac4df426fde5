// After every frame of the table: load the same page afresh and report (window.mirrored) the revision shown, then
// whether both are the same, or that the page could not be compared because it had moved on meanwhile.
// What may differ is taken out of both, each for its own reason.

(() => {
  const MAY_DIFFER = [
    // Clocks count down between the two.
    ["[data-now]", (match) => match.removeAttribute("data-now")],
    [
      "[data-deadline]",
      (clock) => {
        clock.textContent = "";
        clock.parentElement.classList.remove("urgent");
        clock.nextElementSibling?.removeAttribute("style");
        clock.nextElementSibling?.removeAttribute("data-value");
      },
    ],
    [".ring", (ring) => ring.classList.remove("spare-runs")],
    [".ring rect", (ring) => ring.removeAttribute("style")],
    // What was explained to this person.
    [".about b > span", (number) => number.replaceChildren()],
    ["#hurry", (warning) => warning.replaceChildren()],
    // A token is masked anew for every page; what was last sent of a part of the shuffle stays in its form.
    ["[name=csrfmiddlewaretoken], #nonce-line input, #felt input", (field) => field.removeAttribute("value")],
    // How long the line takes is shown by the living page.
    ["#lag", (details) => details.replaceWith()],
    // Whether there is a line, and what works with or without a script only, is the business of the living page.
    [
      "#connection-state, #comfort, [data-full-screen], .keys-help, [data-copy], [data-only-without-script], noscript",
      (element) => element.replaceWith(),
    ],
    // A page that is loaded after the match lists its records; the living one has buttons for them in the hand.
    ["#records", (list) => list.replaceWith()],
    // A frame brings the newest moves that its page lacks; the list to which the page adds them is compared.
    ["#moves", (newest) => newest.replaceChildren()],
    // What leaving would cost is told when a page is loaded, and again when its details are opened.
    [".leave-company[hx-get]", (price) => price.replaceWith()],
    // Who watches is told in a time of its own, whatever the revision.
    ["#spectators", (details) => details.replaceWith()],
    // Who was there before the match keeps the invitation, which the style sheets hide from then on.
    [".waiting", (invitation) => invitation.replaceWith()],
    // How closely, and which part of, the table is looked at.
    ["#lens", (lens) => lens.removeAttribute("style")],
    [".zoom", (buttons) => buttons.replaceWith()],
    // The choice of a tile that is being made.
    ["#ask", (button) => button.removeAttribute("value")],
    [
      "#hand [aria-pressed]",
      (tile) => {
        tile.removeAttribute("aria-pressed");
        if (tile.name === "tile") tile.value = tile.id.match(/\d/g).join("-");
      },
    ],
    ["#choice, #spots > svg", (element) => element.replaceWith()],
    // A page has a drawing for every shape of felt, the living one that of its own, which it may change.
    ["#board > svg[class]", (drawing, shape) => drawing.getAttribute("class") === shape || drawing.replaceWith()],
    // What is on its way to the server.
    ["#hand .asked", (tile) => tile.classList.remove("asked")],
    // The report of a match comes some time after its end.
    ["#key-moments", (moments) => moments.replaceWith()],
    // Tiles fall for the winner for two seconds, after the end.
    [".falling", (shower) => shower.replaceWith()],
    // The bookkeeping of htmx.
    ["[data-htmx-powered]", (element) => element.removeAttribute("data-htmx-powered")],
    ["[class^=htmx-], [class*=' htmx-']", (element) => element.classList.remove("htmx-added", "htmx-swapping")],
  ];
  const shapeOf = (match) => match.querySelector("#board > svg")?.getAttribute("class");
  const revisionOf = (match) => Number(match.querySelector("#sync").dataset.revision);
  const shown = new Map();
  const loaded = new Map();
  let left = false;

  // One line an element or text, attributes in order: morphing may add them in another one.
  function lines(node, found = []) {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim()) found.push(node.data.trim());
    if (node.nodeType !== Node.ELEMENT_NODE) return found;
    const attributes = [...node.attributes].filter((attribute) => attribute.name !== "class" || attribute.value);
    found.push(`<${[node.localName, ...attributes.map(({ name, value }) => `${name}="${value}"`).sort()].join(" ")}>`);
    for (const child of node.childNodes) lines(child, found);
    return found;
  }

  function likeness(match, shape) {
    const copy = document.createElement("div");
    copy.append(match.cloneNode(true));
    for (const [selector, take] of MAY_DIFFER) for (const found of copy.querySelectorAll(selector)) take(found, shape);
    copy.normalize();
    return lines(copy);
  }

  function compare(revision) {
    if (left || !shown.has(revision) || !loaded.has(revision)) return;
    const { shape, lines: here } = shown.get(revision);
    const there = likeness(loaded.get(revision), shape);
    const at = here.findIndex((line, place) => line !== there[place]);
    const same = at < 0 && here.length === there.length;
    const place = at < 0 ? Math.min(here.length, there.length) : at;
    const excerpt = (all) => all.slice(Math.max(0, place - 2), place + 3).join("\n    ");
    window.mirrored(
      revision,
      same ? "same" : "differs",
      `shown:\n    ${excerpt(here)}\n  loaded:\n    ${excerpt(there)}`,
    );
  }

  async function load(revision) {
    const response = await fetch(location.href, { cache: "no-store" });
    const match = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("match");
    loaded.set(revisionOf(match), match);
    compare(revisionOf(match));
    return revisionOf(match) === revision;
  }

  function look() {
    const match = document.getElementById("match");
    const revision = revisionOf(match);
    if (left) return;
    window.mirrored(revision, "shown");
    shown.set(revision, { shape: shapeOf(match), lines: likeness(match, shapeOf(match)) });
    compare(revision);
    load(revision)
      .catch(() => false) // the connection is cut
      .then((comparable) => comparable || window.mirrored(revision, "overtaken"));
  }

  // A page that is being left for another, as when somebody sits down, still gets the frames of where it leads.
  window.addEventListener("beforeunload", () => {
    left = true;
  });
  window.addEventListener("load", () => document.getElementById("match") && look());
  window.addEventListener("htmx:ws:after:message:incoming", () => document.getElementById("match") && look());
})();
