// Copies the address or piece of code next to a button. Where the browser denies access to the clipboard, it selects
// the text.

async function copy(button) {
  const line = document.getElementById(button.dataset.copy);
  const status = document.getElementById(`${line.id}-copied`);
  try {
    await navigator.clipboard.writeText(line.value);
    status.textContent = button.dataset.done;
  } catch {
    line.select();
    status.textContent = button.dataset.chosen;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
