// @ts-check
// Turns htmx's requests and swaps into updates that name the changed elements. The other modules subscribe to zones,
// need not know how an update arrived, and never look at its markup as text. No other module listens to these events
// of htmx; those of its WebSocket extension are in socket.js.

/** @import { Id } from "./dom.js" */
/** @import { HtmxRequestCtx as Context } from "htmx.org" */
/** @typedef {{ type: string, target: Element | string | null, fragment: DocumentFragment | null, swapSpec: unknown }} Task */
/**
 * @typedef {object} Update
 * @property {Set<string>} zones the ids of all elements that are replaced, that are in replaced ones or contain them
 * @property {DocumentFragment[]} contents the new content, until it is swapped in
 * @property {string} time the server's time in milliseconds, "" if the update does not name it
 * @property {Element | null} source the element that sent the request or has the connection
 * @property {Element | null} target the element that the request is to replace
 * @property {object | null} request the request; null for a frame of a socket and for parts that a script swaps in
 * @property {number} status of the response, 0 without a request
 */

const TIME = /^(?:<!--|\{"now":)(\d+)/;
const BEFORE = "page:before-update";
const AFTER = "page:update";
/** @type {WeakMap<object, Update>} */
const updates = new WeakMap();

/** @param {Context} context @param {Task[]} tasks @returns {Update} */
function describe(context, tasks) {
  const { sourceElement, target, request, response, text } = context;
  return {
    zones: new Set(tasks.flatMap(idsOf)),
    contents: tasks.flatMap(({ fragment }) => fragment ?? []),
    time: timeOf(text ?? ""),
    source: sourceElement,
    target,
    request: request ?? null,
    status: response?.status ?? 0,
  };
}

/** @param {Task} task */
function idsOf({ target, fragment }) {
  const ids = [...(fragment?.querySelectorAll("[id]") ?? [])].map(({ id }) => id);
  let element = typeof target === "string" ? document.querySelector(target) : target;
  for (; element; element = element.parentElement) if (element.id) ids.push(element.id);
  return ids;
}

document.addEventListener("htmx:before:swap", (event) => {
  const { ctx, tasks } = event.detail;
  const update = describe(ctx, tasks);
  updates.set(ctx, update);
  const isAllowed = document.dispatchEvent(new CustomEvent(BEFORE, { detail: update, cancelable: true }));
  if (!isAllowed) event.preventDefault();
});

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  const update = updates.get(ctx);
  // htmx reports the target in place of a source that was replaced.
  if (update) document.dispatchEvent(new CustomEvent(AFTER, { detail: { ...update, source: ctx.sourceElement } }));
});

/**
 * Run a callback after each update.
 * @param {(update: Update) => void} callback
 */
export function onUpdate(callback) {
  document.addEventListener(AFTER, (event) => callback(/** @type {CustomEvent<Update>} */ (event).detail));
}

/**
 * Run a callback after each update of a zone, or of one of several.
 * @param {Id | Id[]} zones
 * @param {(update: Update) => void} callback
 */
export function onZone(zones, callback) {
  const ids = [zones].flat();
  onUpdate((update) => {
    if (ids.some((id) => update.zones.has(id))) callback(update);
  });
}

/**
 * Run a callback before each update. The update does not take place if it returns false.
 * @param {(update: Update) => boolean | void} callback
 */
export function beforeUpdate(callback) {
  document.addEventListener(BEFORE, (event) => {
    if (callback(/** @type {CustomEvent<Update>} */ (event).detail) === false) event.preventDefault();
  });
}

/**
 * Run a callback before each request of an element. The request is not sent if it returns false.
 * @param {(source: Element, request: object) => boolean | void} callback
 */
export function beforeRequest(callback) {
  document.addEventListener("htmx:before:request", (event) => {
    const { sourceElement, request } = event.detail.ctx;
    if (callback(sourceElement, request) === false) event.preventDefault();
  });
}

/**
 * Run a callback when a request of an element fails: the answer is an error, which is not shown, or there is none.
 * @param {(source: Element | null) => boolean} concerns whether the callback takes care of an element's requests
 * @param {() => void} callback
 */
export function onFailure(concerns, callback) {
  beforeUpdate(({ request, source, status }) => {
    if (!request || status < 400 || !concerns(source)) return true;
    callback();
    return false;
  });
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx?.request && concerns(ctx.sourceElement)) callback();
  });
}

/**
 * Return the server's time with which a frame begins, "" if it does not.
 * @param {string} text
 */
export const timeOf = (text) => TIME.exec(text)?.[1] ?? "";
