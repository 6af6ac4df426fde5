// Returns the parts of a table's page that are not visible, cut off, too small or covered.

() => {
  const inside = (box) => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  const isVisible = (element) => element.checkVisibility() && getComputedStyle(element).clipPath === "none";
  const $ = (selector) => [...document.querySelectorAll(selector)];
  const required =
    "#lens, #hand, .seat:has([id^=to-move] > i), .mark, .facts, .timer, #hand button, #hand a.button, #board use";
  const isCut = (element) => isVisible(element) && element.scrollWidth > element.clientWidth + 1;
  const lens = document.getElementById("lens").getBoundingClientRect();
  const wrong = $(required).filter((element) => isVisible(element) && !inside(element.getBoundingClientRect()));
  wrong.push(...$(".boneyard, .round, .timer").filter(isCut));
  const problems = wrong.map((element) => element.outerHTML.slice(0, 90));
  const boxes = (selector) =>
    $(selector)
      .filter(isVisible)
      .map((element) => element.getBoundingClientRect());
  const end = document.querySelector(".result:has(.headline)");
  const isTooSmall = (box) => box.width < 9 && !(end && box.width === 0); // a low window hides them at the end
  if (boxes(".round-told ~ .face-up svg").some(isTooSmall)) problems.push("remaining tiles too small");
  if (end && end.scrollHeight > end.clientHeight + 1) problems.push("the end of the match is cut off");
  if (boxes("[id^=held] > svg use").some((box) => box.height < 6)) problems.push("tile backs too small");
  const triangles = document.querySelector("#hand .sides-3") ? boxes("#board use") : [];
  const narrow = triangles.map((box) => box.width).find((width) => width < 24);
  if (narrow) problems.push(`a triangle ${narrow} wide`);
  const areApart = (a, b) => a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom;
  const covers = (first, second) => boxes(first).some((one) => boxes(second).some((other) => !areApart(one, other)));
  const signs = ".signs > :not(.comfort), .comfort > *";
  if (covers(signs, "#lens, .round, .timer > *, .boneyard, #hand > *")) problems.push("an icon covers content");
  if (covers(".zoom .sign", "#board use")) problems.push("zoom covers a tile");
  if (covers(".clock > *", "#hand .tiles button")) problems.push("a tile covers the clock");
  if (lens.height < 120) problems.push(`a felt ${lens.height} high`);
  if (document.documentElement.scrollWidth > innerWidth) problems.push("wider than the window");
  const isDesktop = innerWidth >= 1056 && innerHeight >= 544;
  if (isDesktop && document.documentElement.scrollHeight > innerHeight) problems.push("scrolls on a desktop");
  return problems;
};
