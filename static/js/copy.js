// A button beside each address or piece of code copies it. Where the browser gives no access to the clipboard, the
// text is selected instead, so that the reader can copy it.

function showButtons() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
}

async function copy(button) {
  const line = document.getElementById(button.dataset.copy);
  const said = document.getElementById(`${line.id}-copied`);
  try {
    await navigator.clipboard.writeText(line.value);
    said.textContent = button.dataset.done;
  } catch {
    line.select();
    said.textContent = button.dataset.chosen;
  }
}

showButtons();
document.addEventListener("htmx:after:swap", showButtons);
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
