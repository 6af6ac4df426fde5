// An invitation goes out by the device's own share sheet, where it has one. A tap on one's own name changes it.

const match = document.getElementById("match");
const rename = document.getElementById("rename");

for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share;
  // Closed again without sharing, it fails; nothing is to be said then.
  button.addEventListener("click", () => {
    navigator.share({ title: button.dataset.title, url: button.dataset.share }).catch(() => {});
  });
}

match.addEventListener("click", (event) => {
  const own = match.dataset.viewer && event.target.closest(`#seat${match.dataset.viewer} .name`);
  if (!own || !rename?.showPopover) return;
  event.preventDefault();
  rename.showPopover();
});
