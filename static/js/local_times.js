// @ts-check
// Shows times in the reader's time zone. Without scripts they are in UTC and labelled as such.

import { data, query, queryAll } from "./dom.js";
import { onUpdate } from "./updates.js";

const language = document.documentElement.lang;
/** @type {Intl.DateTimeFormatOptions} */
const DATE = { year: "numeric", month: "short", day: "numeric" };
/** @type {Intl.DateTimeFormatOptions} */
const TIME = { hour: "numeric", minute: "2-digit", timeZoneName: "short" };
const dateAndTime = new Intl.DateTimeFormat(language, { ...DATE, ...TIME });
const timeOfDay = new Intl.DateTimeFormat(language, { ...TIME, second: "2-digit" });

function localize() {
  /** @type {HTMLTimeElement[]} */
  const times = queryAll("time[datetime]:not([data-local])");
  for (const time of times) {
    const text = ("seconds" in data(time) ? timeOfDay : dateAndTime).format(new Date(time.dateTime));
    (query(".ago-date", time) ?? time).textContent = text;
    if (time.title) time.title = text;
    data(time).local = "";
  }
}

localize();
onUpdate(localize);
