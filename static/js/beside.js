// The lists beside the table. A frame brings their newest lines alone; a page that missed some reads the list anew.

const EXTENDED = { moves: "move-list", scores: "score-lines" };
const number = (line) => Number(line?.dataset.number ?? 0);
const bottom = (list) => {
  list.scrollTop = list.scrollHeight;
};

async function readAnew(list) {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return; // the next frame asks again
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  list.replaceWith(page.getElementById(list.id) ?? list);
  bottom(document.getElementById(list.id));
}

function extend(newest) {
  const list = document.getElementById(EXTENDED[newest.id]);
  if (newest.dataset.of !== list.dataset.of) {
    list.dataset.of = newest.dataset.of;
    list.replaceChildren();
  }
  if (newest.tHead) list.parentElement.tHead.replaceWith(newest.tHead.cloneNode(true));
  const known = number(list.lastElementChild);
  const lines = [...newest.querySelectorAll("[data-number]")].filter((line) => number(line) > known);
  if (!lines.length) return;
  if (number(lines[0]) > known + 1) return void readAnew(list);
  list.append(...lines.map((line) => line.cloneNode(true)));
  bottom(list);
}

document.addEventListener("htmx:after:swap", () => {
  for (const id of Object.keys(EXTENDED)) extend(document.getElementById(id));
});
for (const list of document.querySelectorAll(".move-list")) bottom(list);
