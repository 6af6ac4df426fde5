// Ignore the click that may follow a drag.
export function swallowClick() {
  const over = new AbortController();
  const swallow = (click) => {
    click.preventDefault();
    click.stopPropagation();
  };
  window.addEventListener("click", swallow, { capture: true, signal: over.signal });
  setTimeout(() => over.abort());
}
