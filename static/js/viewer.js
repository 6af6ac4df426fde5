// Reloads the page when the viewer sits down or leaves in another window. Frames update the zones of a table, but the
// parts around them depend on the viewer: the seat at the bottom, the chat form, the leave button.

const match = document.getElementById("match");
let isLeaving = false; // the page is being left for one that shows the new viewer

window.addEventListener("beforeunload", () => {
  isLeaving = true;
});
match.addEventListener("htmx:after:swap", () => {
  const { viewer } = document.getElementById("hand").dataset;
  if (!isLeaving && viewer !== match.dataset.viewer) location.reload();
});
