// A switch of the page that the browser remembers, for as long as what it starts from (an account's setting) stays.

export function remembered(box, key, standard) {
  const name = `dominoes-${key}-${standard}`;
  try {
    box.checked = (localStorage.getItem(name) ?? String(standard)) === "true";
    box.addEventListener("change", () => localStorage.setItem(name, String(box.checked)));
  } catch {
    box.checked = standard; // the browser remembers nothing: the switch works for this page
  }
  return () => box.checked;
}
