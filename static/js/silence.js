// A line may die without a word. So whoever says something and hears nothing hangs up, and the extension dials anew.

export const LOST = 1006;
const ANSWER = 6000;
let hangUp = 0;

document.addEventListener("htmx:ws:after:message:outgoing", ({ detail }) => {
  const { socket } = detail.connection;
  clearTimeout(hangUp);
  // A close() would wait a minute for the other end's good-bye.
  hangUp = setTimeout(() => socket.dispatchEvent(new CloseEvent("close", { code: LOST })), ANSWER);
});

document.addEventListener("htmx:ws:before:message:incoming", () => clearTimeout(hangUp));
