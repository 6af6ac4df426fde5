// A page that was open when everybody wanted the rematch follows to it. One that is opened later only shows the way.

const match = document.getElementById("match");
const way = () => document.querySelector("#hand [data-follow]")?.dataset.follow;
let follows = !way();

match.addEventListener("htmx:after:swap", () => {
  if (!follows || !way()) return;
  follows = false;
  location.assign(way());
});
