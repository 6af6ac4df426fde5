import "../htmx/htmx.esm.min.js";
