// Moments in the reader's time zone. Without scripts they are in UTC, and say so.

const language = document.documentElement.lang;
const DAY = { year: "numeric", month: "short", day: "numeric" };
const CLOCK = { hour: "numeric", minute: "2-digit", timeZoneName: "short" };
const moment = new Intl.DateTimeFormat(language, { ...DAY, ...CLOCK });
const timeOfDay = new Intl.DateTimeFormat(language, { ...CLOCK, second: "2-digit" });

function show() {
  for (const time of document.querySelectorAll("time[datetime]:not([data-local])")) {
    const text = ("seconds" in time.dataset ? timeOfDay : moment).format(new Date(time.dateTime));
    (time.querySelector(".ago-date") ?? time).textContent = text;
    if (time.title) time.title = text;
    time.dataset.local = "";
  }
}

show();
document.addEventListener("htmx:after:swap", show);
