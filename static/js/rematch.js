// Follows to the rematch, if the page was open when everybody agreed to it. A page opened later only links to it.

const match = document.getElementById("match");
const rematchPath = () => document.querySelector("#hand [data-follow]")?.dataset.follow;
let isFollowing = !rematchPath();

match.addEventListener("htmx:after:swap", () => {
  if (!isFollowing || !rematchPath()) return;
  isFollowing = false;
  location.assign(rematchPath());
});
