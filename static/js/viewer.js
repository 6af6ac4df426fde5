// A frame brings the zones of a table, but what stands around them is for one viewer: which seat is below, whether there
// is a line to write in, how to leave. Whoever sits down or leaves in another window gets this page anew.

const match = document.getElementById("match");
let left = false; // for another page, which knows better

window.addEventListener("beforeunload", () => {
  left = true;
});
match.addEventListener("htmx:after:swap", () => {
  const { viewer } = document.getElementById("hand").dataset;
  if (!left && viewer !== match.dataset.viewer) location.reload();
});
