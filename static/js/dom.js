// @ts-check
// The names that scripts share with templates and rendering code: ids, data attributes and events. The other modules
// reach the page through these functions, so the type checker knows every name and the type of every element.

// The ids of elements and their tags.
export const TAGS = /** @type {const} */ ({
  act: "form",
  analysis: "section",
  "analysis-said": "p",
  "analysis-title": "h2",
  ask: "button",
  "ask-analysis": "button",
  board: "div",
  boards: "section",
  "branch-after": "a",
  "branch-before": "a",
  chat: "div",
  "chat-form": "form",
  "chat-text": "input",
  choice: "div",
  clock: "b",
  comfort: "div",
  "connection-state": "div",
  draw: "button",
  felt: "form",
  ghost: "div",
  hand: "section",
  hint: "form",
  hints: "div",
  hurry: "p",
  lag: "details",
  lead: "form",
  lens: "div",
  looks: "form",
  match: "div",
  messages: "div",
  move: "form",
  "move-list": "ol",
  moves: "ol",
  next: "p",
  "next-table": "div",
  nonce: "data",
  "nonce-line": "form",
  "nonce-said": "p",
  "nonce-text": "input",
  notice: "div",
  "own-nonce": "form",
  prepared: "p",
  push: "section",
  "push-said": "p",
  rematch: "a",
  rename: "div",
  report: "section",
  result: "section",
  review: "div",
  "review-after": "a",
  "review-before": "a",
  "review-first": "a",
  "review-fit": "input",
  "review-form": "form",
  "review-keys": "div",
  "review-last": "a",
  "review-messages": "div",
  "review-perspective": "select",
  "review-play": "button",
  "review-round-after": "a",
  "review-round-before": "a",
  "review-say": "form",
  "review-slider": "input",
  "review-speed": "select",
  "review-state": "p",
  "review-steps": "ol",
  "review-text": "input",
  "running-match": "div",
  "score-lines": "tbody",
  said: "p",
  scores: "table",
  seats: "ul",
  seen: "form",
  share: "details",
  "share-address": "input",
  "share-match": "a",
  "shared-review": "div",
  sorted: "p",
  "spectator-chat": "section",
  spots: "div",
  sync: "div",
  "to-report": "a",
  "tournament-mine": "section",
  "tournament-nonces": "ol",
  "turn-tile": "button",
  "use-keys": "input",
  "use-sound": "input",
  verify: "article",
  "verify-again": "button",
  "verify-deals": "ol",
  "verify-file": "input",
  "verify-own-part": "p",
  "verify-result": "p",
  "verify-words": "script",
  version: "input",
  zoom: "div",
});

// The data attributes, as scripts write them.
export const DATA = /** @type {const} */ ([
  "announcement",
  "as",
  "asked",
  "at",
  "autoDraw",
  "briefly",
  "chosen",
  "closed",
  "commitment",
  "cookie",
  "copy",
  "deadline",
  "denied",
  "done",
  "end",
  "failed",
  "follow",
  "frames",
  "free",
  "from",
  "fullScreen",
  "given",
  "go",
  "import",
  "key",
  "lag",
  "last",
  "leader",
  "leads",
  "lost",
  "match",
  "move",
  "moved",
  "muted",
  "named",
  "none",
  "now",
  "number",
  "of",
  "ofStep",
  "off",
  "offline",
  "on",
  "onlyWithScript",
  "onlyWithoutScript",
  "pause",
  "play",
  "plays",
  "polling",
  "prepared",
  "record",
  "reports",
  "revision",
  "round",
  "running",
  "sealed",
  "seconds",
  "share",
  "sound",
  "stage",
  "status",
  "submitOnChange",
  "template",
  "title",
  "turn",
  "turnIcon",
  "turnTitle",
  "twoTaps",
  "unread",
  "value",
  "viewer",
  "void",
  "width",
  "worker",
  "zoom",
]);

// Those that scripts set for style sheets and for each other, and pages do not have.
export const OWN_DATA = /** @type {const} */ (["corner", "follows", "local", "state", "usual"]);

// The event that lets a form send its message now (`hx-trigger` in the templates).
export const WAKE = "wake";
// Between scripts: a message was not sent; a reader of a shared review has chosen a step.
export const UNSENT = "unsent";
export const OWN_STEP = "review:own-step";

/** @typedef {HTMLElementTagNameMap & Pick<SVGElementTagNameMap, "path">} ElementsByTag */
/** @typedef {keyof typeof TAGS} Id */
/** @typedef {(typeof DATA)[number] | (typeof OWN_DATA)[number]} DataName */

/**
 * Return the element with an id, null if the page has none.
 * @template {Id} I
 * @param {I} id
 * @returns {ElementsByTag[(typeof TAGS)[I]] | null}
 */
export function findById(id) {
  return /** @type {ElementsByTag[(typeof TAGS)[I]] | null} */ (document.getElementById(id));
}

/**
 * Return the element with an id, which the page must have.
 * @template {Id} I
 * @param {I} id
 * @returns {ElementsByTag[(typeof TAGS)[I]]}
 */
export function getById(id) {
  const element = findById(id);
  if (!element) throw new TypeError(`#${id} is missing`);
  return element;
}

/**
 * Return the first element that matches a selector, null if none does.
 * @template {Element} [E=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {E | null}
 */
export const query = (selector, root = document) => root.querySelector(selector);

/**
 * Return all elements that match a selector.
 * @template {Element} [E=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {E[]}
 */
export const queryAll = (selector, root = document) => [
  .../** @type {NodeListOf<E>} */ (root.querySelectorAll(selector)),
];

/**
 * Return the nearest element that matches a selector, from the target of an event outwards.
 * @template {Element} [E=HTMLElement]
 * @param {EventTarget | null} target
 * @param {string} selector
 * @returns {E | null}
 */
export const closest = (target, selector) => (target instanceof Element ? target.closest(selector) : null);

/**
 * Return the data attributes of an element.
 * @param {HTMLElement | SVGElement} element
 * @returns {Partial<Record<DataName, string>>}
 */
export const data = (element) => element.dataset;

/** Return the field of a form with a name, which the form must have.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export const field = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
