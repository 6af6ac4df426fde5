// The heartbeat of a page says whether the page is in sight: nobody is pushed what they see.

let connected = false;
for (const [event, state] of Object.entries({ "htmx:ws:after:connection": true, "htmx:ws:close": false })) {
  document.addEventListener(event, () => {
    connected = state;
  });
}

document.addEventListener("htmx:ws:before:message:outgoing", ({ detail }) => {
  const { values } = detail.message;
  if (values.type === "seen") values.visible = !document.hidden;
});

// A page that is shown again wakes up by itself, or says so with its next heartbeat.
document.addEventListener("visibilitychange", () => {
  if (document.hidden && connected) document.getElementById("seen")?.dispatchEvent(new Event("wake"));
});
