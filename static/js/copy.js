// A button beside each address or piece of code copies it. Where the browser gives no access to the clipboard, the
// text is selected instead, so that the reader can copy it.

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

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
