// Applies a felt or tile design chosen at the table at once, and saves it.

const form = document.getElementById("looks");

form?.addEventListener("change", ({ target }) => {
  document.documentElement.dataset[target.name] = target.value;
  fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
});
