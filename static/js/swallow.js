// @ts-check

// Ignore the click that may follow a drag.
export function swallowClick() {
  const controller = new AbortController();
  /** @param {Event} click */
  const ignore = (click) => {
    click.preventDefault();
    click.stopPropagation();
  };
  window.addEventListener("click", ignore, { capture: true, signal: controller.signal });
  setTimeout(() => controller.abort());
}
