// @ts-check
// The events of htmx's WebSocket extension. No other module listens to them directly.

const EVENTS = /** @type {const} */ ({
  connecting: "htmx:ws:before:connection",
  open: "htmx:ws:after:connection",
  frame: "htmx:ws:before:message:incoming",
  send: "htmx:ws:before:message:outgoing", // preventDefault keeps the message from being sent
  sent: "htmx:ws:after:message:outgoing", // over the socket or over HTTP
  close: "htmx:ws:close",
});

/**
 * Run a callback at an event of the socket; with `first`, before the callbacks without.
 * @template {keyof typeof EVENTS} N
 * @param {N} name
 * @param {(event: DocumentEventMap[(typeof EVENTS)[N]]) => void} callback
 * @param {{ first?: boolean }} [options]
 */
export function onSocket(name, callback, { first = false } = {}) {
  document.addEventListener(EVENTS[name], callback, { capture: first });
}

/**
 * Report a message of a form that was sent over HTTP.
 * @param {HTMLFormElement} form
 * @param {SocketMessage} detail
 */
export function reportSent(form, detail) {
  form.dispatchEvent(new CustomEvent(EVENTS.sent, { bubbles: true, detail }));
}
