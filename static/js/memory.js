// A switch whose state the browser remembers until its default, which an account may set, changes.

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
