// The felt and the tiles that are chosen at the table show at once, and are kept.

const form = document.getElementById("looks");

form?.addEventListener("change", ({ target }) => {
  document.documentElement.dataset[target.name] = target.value;
  fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
});
