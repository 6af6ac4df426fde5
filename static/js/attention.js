// @ts-check
// Shows in the title and icon of the tab whether it is the player's turn.

import { isMyTurn } from "./choice.js";
import { data, getById, query } from "./dom.js";
import { onZone } from "./updates.js";

const match = getById("match");
const icon = /** @type {HTMLLinkElement} */ (query("link[rel=icon]"));
const DEFAULT = { title: document.title, icon: icon.href };

function updateTab() {
  const { turnTitle = "", turnIcon = "" } = data(match);
  const [title, href] = isMyTurn() ? [turnTitle, turnIcon] : [DEFAULT.title, DEFAULT.icon];
  if (document.title !== title) document.title = title;
  if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

updateTab();
onZone("hand", updateTab);
