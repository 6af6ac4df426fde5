// A table calls for its player: the title and the icon of the tab say whose turn it is.

import { isMyTurn } from "./sound.js";

const match = document.getElementById("match");
const icon = document.querySelector("link[rel=icon]");
const CALM = { title: document.title, icon: icon.href };

function call() {
  const mine = isMyTurn();
  const title = mine ? match.dataset.turnTitle : CALM.title;
  const href = mine ? match.dataset.turnIcon : CALM.icon;
  if (document.title !== title) document.title = title;
  if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

call();
document.addEventListener("htmx:after:swap", call);
