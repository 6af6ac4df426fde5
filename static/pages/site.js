// Every page. Other entries import this one first.
import "../htmx/htmx.esm.min.js";
import "../js/page.js";
