// A frame brings the zones of a table, but what surrounds them is for one viewer: which seat is at the bottom, the
// chat form, the way to leave. When somebody sits down or leaves in another window, this page reloads itself.

const match = document.getElementById("match");
let left = false; // for another page, which shows the new viewer

window.addEventListener("beforeunload", () => {
  left = true;
});
match.addEventListener("htmx:after:swap", () => {
  const { viewer } = document.getElementById("hand").dataset;
  if (!left && viewer !== match.dataset.viewer) location.reload();
});
