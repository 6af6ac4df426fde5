// Opens the device's share sheet where there is one; elsewhere the link leads to the addresses of the match.

document.addEventListener("click", (event) => {
  if (!event.target.closest("#share-match") || !navigator.share) return;
  event.preventDefault();
  navigator.share({ title: document.title, url: document.getElementById("share-address").value }).catch(() => {});
});
