// Copying an address or a piece of code: a button beside each line that is to be copied. Where the browser lends no
// clipboard the line is chosen, so that the keys or the menu copy it.

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
