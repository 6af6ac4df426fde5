// Shows in the title and icon of the tab whether it is the player's turn.

import { isMyTurn } from "./sound.js";

const match = document.getElementById("match");
const icon = document.querySelector("link[rel=icon]");
const DEFAULT = { title: document.title, icon: icon.href };

function updateTab() {
  const mine = isMyTurn();
  const title = mine ? match.dataset.turnTitle : DEFAULT.title;
  const href = mine ? match.dataset.turnIcon : DEFAULT.icon;
  if (document.title !== title) document.title = title;
  if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

updateTab();
document.addEventListener("htmx:after:swap", updateTab);
