// A move of the analysis lies on the board as long as its line is pointed at or has the focus, or once it is pressed.

let kept = null; // the line that was pressed

const layer = () => document.getElementById("ghost");
const lineOf = (target) => target.closest?.("#analysis tr:has(template)");

function show(line) {
  const drawings = line?.querySelector("template").content.cloneNode(true);
  layer().replaceChildren(...(drawings ? [drawings] : []));
  // The board may be fitted to the step.
  const windows = [...document.querySelectorAll("#board svg")].map((drawing) => drawing.getAttribute("viewBox"));
  for (const [place, drawing] of [...layer().children].entries()) drawing.setAttribute("viewBox", windows[place]);
}

for (const type of ["pointerover", "focusin"])
  document.addEventListener(type, ({ target }) => {
    if (lineOf(target)) show(lineOf(target));
  });
for (const type of ["pointerout", "focusout"])
  document.addEventListener(type, ({ target, relatedTarget }) => {
    const line = lineOf(target);
    if (line && !line.contains(relatedTarget)) show(kept?.isConnected ? kept : null);
  });

// Before the review takes the link for one to another step.
document.addEventListener(
  "click",
  (event) => {
    if (!event.target.closest(".review-ghost") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const line = lineOf(event.target);
    kept = kept === line ? null : line;
    show(kept ?? line);
    if (kept) document.querySelector(".felt").scrollIntoView({ block: "nearest" });
  },
  true,
);

document.addEventListener("htmx:after:swap", () => {
  if (!kept || kept.isConnected) return;
  kept = null;
  show(null);
});
