// Shows times in the reader's time zone. Without scripts they are in UTC and labelled as such.

const language = document.documentElement.lang;
const DATE = { year: "numeric", month: "short", day: "numeric" };
const TIME = { hour: "numeric", minute: "2-digit", timeZoneName: "short" };
const dateAndTime = new Intl.DateTimeFormat(language, { ...DATE, ...TIME });
const timeOfDay = new Intl.DateTimeFormat(language, { ...TIME, second: "2-digit" });

function localize() {
  for (const time of document.querySelectorAll("time[datetime]:not([data-local])")) {
    const text = ("seconds" in time.dataset ? timeOfDay : dateAndTime).format(new Date(time.dateTime));
    (time.querySelector(".ago-date") ?? time).textContent = text;
    if (time.title) time.title = text;
    time.dataset.local = "";
  }
}

localize();
document.addEventListener("htmx:after:swap", localize);
