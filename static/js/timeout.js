// A connection may die without notice. A page that gets no answer in time closes it, and the extension reconnects.

export const LOST = 1006;
const TRY_LATER = 4013; // too many pages are open from this address, or come back at once
export const isFinal = (code) => code !== TRY_LATER && (code === 1000 || code >= 4000);
const ANSWER = 6000;
let hangUp = 0;

document.addEventListener("htmx:ws:after:message:outgoing", ({ detail }) => {
  const { socket } = detail.connection;
  clearTimeout(hangUp);
  if (socket?.readyState !== WebSocket.OPEN) return; // it went over HTTP
  // close() would wait a minute for the other end's close frame.
  hangUp = setTimeout(() => socket.dispatchEvent(new CloseEvent("close", { code: LOST })), ANSWER);
});

document.addEventListener("htmx:ws:before:message:incoming", () => clearTimeout(hangUp));

// Wait some four seconds, as before a third attempt: it was open for a moment, which would make this the first.
document.addEventListener("htmx:ws:close", ({ detail }) => {
  if (detail.code === TRY_LATER) detail.connection.attempt = 2;
  if (isFinal(detail.code)) document.getElementById("seen")?.remove(); // nobody hears it any more
});
