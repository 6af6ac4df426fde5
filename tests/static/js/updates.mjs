// Prints what subscribers of updates.js hear of some swaps, as a list of names.

/** An element with an id and a parent. */
const element = (id, parentElement = null) => ({ id, parentElement });
const fragment = (...ids) => ({ querySelectorAll: () => ids.map((id) => element(id)) });
const detail = (tasks, context = {}) => ({ ctx: { text: "", sourceElement: null, ...context }, tasks });

globalThis.document = new EventTarget();
const { beforeUpdate, onFailure, onUpdate, onZone } = await import("../../../static/js/updates.js");
const heard = [];
let refused = false;
onZone("hand", () => heard.push("hand"));
onZone(["seats", "board"], () => heard.push("seats or board"));
onUpdate(({ time }) => heard.push(`update ${time}`));
beforeUpdate(() => !refused);
onFailure(
  (source) => source?.id === "review",
  () => heard.push("failure"),
);

/** Swap as htmx does: announce it, and report it unless somebody refused it. */
function swap(tasks, context) {
  const event = { cancelable: true, detail: detail(tasks, context) };
  if (document.dispatchEvent(new CustomEvent("htmx:before:swap", event)))
    document.dispatchEvent(new CustomEvent("htmx:after:swap", event));
  else heard.push("not swapped");
}

const play = (...tasks) => tasks.map(([target, ...ids]) => ({ target, fragment: fragment(...ids) }));
const steps = {
  zone: () => swap(play([element("hand"), "hand", "h64"])),
  within: () => swap(play([element("seat2", element("seats", element("match"))), "seat2"])),
  around: () => swap(play([element("content"), "board", "hand"])),
  other: () => swap(play([element("notice")]), { text: "<!--1700000000000--><hx-partial>" }),
  twice: () => swap(play([element("board")], [element("seats")])),
  refused: () => {
    refused = true;
    swap(play([element("hand")]));
    refused = false;
  },
  failed: () =>
    swap(play([element("board")]), { request: {}, response: { status: 500 }, sourceElement: element("review") }),
};
const results = Object.entries(steps).map(([name, step]) => {
  heard.length = 0;
  step();
  return [name, [...heard]];
});
console.log(JSON.stringify(Object.fromEntries(results)));
