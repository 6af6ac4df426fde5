// Television: some seconds after a match is over the next one comes, unless the viewer wants to stay.

const SECONDS = 12;
const match = document.getElementById("match");
const next = document.getElementById("next");
const [link, stay] = next.children;
let end = 0;
let ticking = 0;

function tick() {
  const left = Math.ceil((end - performance.now()) / 1000);
  link.lastElementChild.textContent = Math.max(left, 0);
  if (left <= 0) {
    clearInterval(ticking);
    location.replace(link.href);
  }
}

match.addEventListener("htmx:after:swap", () => {
  if (end || document.getElementById("sync").dataset.status === "running") return;
  end = performance.now() + SECONDS * 1000;
  next.hidden = false;
  tick();
  ticking = setInterval(tick, 1000);
});
stay.addEventListener("click", () => {
  clearInterval(ticking);
  next.hidden = true;
});
