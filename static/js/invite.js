// Sends an invitation by the device's share sheet, where it has one, and lets players rename themselves by a tap on
// their name.

const match = document.getElementById("match");
const rename = document.getElementById("rename");

for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share;
  // Closing the sheet without sharing rejects; that needs no message.
  button.addEventListener("click", () => {
    navigator.share({ title: button.dataset.title, url: button.dataset.share }).catch(() => {});
  });
}

match.addEventListener("click", (event) => {
  const ownName = match.dataset.viewer && event.target.closest(`#seat${match.dataset.viewer} .name`);
  if (!ownName || !rename?.showPopover) return;
  event.preventDefault();
  rename.showPopover();
});
