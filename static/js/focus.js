// After a move the pressed button is gone. The focus then returns to its zone, not to the top of the page.

const ZONES = "#hand, #result, #seats";
let zone = null;

document.addEventListener("htmx:before:swap", () => {
  zone = document.activeElement?.closest(ZONES)?.id ?? null;
});

document.addEventListener("htmx:after:swap", () => {
  for (const messages of document.querySelectorAll(".messages")) messages.scrollTop = messages.scrollHeight;
  if (!zone || (document.activeElement && document.activeElement !== document.body)) return;
  const home = document.getElementById(zone);
  const next = home?.querySelector(".tiles .fits, .act, .tiles button") ?? document.getElementById("hand");
  next?.focus({ preventScroll: true });
});
