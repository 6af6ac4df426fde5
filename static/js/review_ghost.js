// A move of the analysis lies on the board as long as its line is pointed at or has the focus.

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
    if (line && !line.contains(relatedTarget)) show(null);
  });

// The line that was pointed at may be gone.
document.addEventListener("htmx:after:swap", () => {
  if (layer()?.hasChildNodes() && !document.querySelector("#analysis tr:has(template):is(:hover, :focus-within)"))
    show(null);
});
