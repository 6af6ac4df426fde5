// The lists next to the table. A frame brings only their newest lines; a page that missed some reloads the list.

// Id of the newest lines in a frame: id of the list they belong to.
const LISTS = { moves: "move-list", scores: "score-lines" };
const numberOf = (line) => Number(line?.dataset.number ?? 0);
const scrollToEnd = (list) => {
  list.scrollTop = list.scrollHeight;
};

async function reload(list) {
  const response = await fetch(location.pathname);
  if (!response.ok) return; // the next frame tries again
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  list.replaceWith(page.getElementById(list.id) ?? list);
  scrollToEnd(document.getElementById(list.id));
}

function extend(newest) {
  const list = document.getElementById(LISTS[newest.id]);
  if (newest.dataset.of !== list.dataset.of) {
    list.dataset.of = newest.dataset.of;
    list.replaceChildren();
  }
  if (newest.tHead) list.parentElement.tHead.replaceWith(newest.tHead.cloneNode(true));
  const lastNumber = numberOf(list.lastElementChild);
  const lines = [...newest.querySelectorAll("[data-number]")].filter((line) => numberOf(line) > lastNumber);
  if (!lines.length) return;
  if (numberOf(lines[0]) > lastNumber + 1) return void reload(list);
  list.append(...lines.map((line) => line.cloneNode(true)));
  scrollToEnd(list);
}

document.addEventListener("htmx:after:swap", () => {
  for (const id of Object.keys(LISTS)) extend(document.getElementById(id));
});
for (const list of document.querySelectorAll(".move-list")) scrollToEnd(list);
