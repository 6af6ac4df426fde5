// What is out of sight on the page of a table, cut, too small, or covered by something else.

() => {
  const inside = (box) => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  const seen = (each) => each.checkVisibility() && getComputedStyle(each).clipPath === "none";
  const $ = (each) => [...document.querySelectorAll(each)];
  const wanted =
    "#lens, #hand, .seat:has([id^=to-move] > i), .mark, .facts, .timer, #hand button, #hand a.button, #board use";
  const cut = (each) => seen(each) && each.scrollWidth > each.clientWidth + 1;
  const lens = document.getElementById("lens").getBoundingClientRect();
  const wrong = $(wanted).filter((each) => seen(each) && !inside(each.getBoundingClientRect()));
  wrong.push(...$(".boneyard, .round, .timer").filter(cut));
  const said = wrong.map((each) => each.outerHTML.slice(0, 90));
  const boxes = (each) =>
    $(each)
      .filter(seen)
      .map((one) => one.getBoundingClientRect());
  if (boxes(".round-told ~ .face-up svg").some((box) => box.width < 9)) said.push("tiles left too small to tell");
  const end = document.querySelector(".result:has(.headline)");
  if (end && end.scrollHeight > end.clientHeight + 1) said.push("the end of the match is cut");
  if (boxes("[id^=held] > svg use").some((box) => box.height < 6)) said.push("backs too small to tell");
  const triangles = document.querySelector("#hand .sides-3") ? boxes("#board use") : [];
  const narrow = triangles.map((box) => box.width).find((width) => width < 24);
  if (narrow) said.push(`a triangle ${narrow} wide`);
  const apart = (a, b) => a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom;
  const covers = (these, those) => boxes(these).some((one) => boxes(those).some((other) => !apart(one, other)));
  const signs = ".signs > :not(.comfort), .comfort > *";
  if (covers(signs, "#lens, .round, .timer > *, .boneyard, #hand > *")) said.push("a sign over what is to be seen");
  if (covers(".zoom .sign", "#board use")) said.push("zoom over a tile");
  if (covers(".clock > *", "#hand .tiles button")) said.push("a tile over the clock");
  if (lens.height < 120) said.push(`a felt ${lens.height} high`);
  if (document.documentElement.scrollWidth > innerWidth) said.push("wider than the window");
  const desk = innerWidth >= 1056 && innerHeight >= 544;
  if (desk && document.documentElement.scrollHeight > innerHeight) said.push("scrolls at the desk");
  return said;
};
