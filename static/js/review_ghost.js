// Shows a move of the analysis on the board while its line is hovered or focused.

const layer = () => document.getElementById("ghost");
const lineOf = (target) => target.closest?.("#analysis tr:has(template)");

function showMove(line) {
  const drawings = line?.querySelector("template").content.cloneNode(true);
  layer().replaceChildren(...(drawings ? [drawings] : []));
  // Take over the view boxes of the board: it may be fitted to the step.
  const viewBoxes = [...document.querySelectorAll("#board svg")].map((drawing) => drawing.getAttribute("viewBox"));
  for (const [place, drawing] of [...layer().children].entries()) drawing.setAttribute("viewBox", viewBoxes[place]);
}

for (const type of ["pointerover", "focusin"])
  document.addEventListener(type, ({ target }) => {
    if (lineOf(target)) showMove(lineOf(target));
  });
for (const type of ["pointerout", "focusout"])
  document.addEventListener(type, ({ target, relatedTarget }) => {
    const line = lineOf(target);
    if (line && !line.contains(relatedTarget)) showMove(null);
  });

// The line may have been removed.
document.addEventListener("htmx:after:swap", () => {
  if (layer()?.hasChildNodes() && !document.querySelector("#analysis tr:has(template):is(:hover, :focus-within)"))
    showMove(null);
});
