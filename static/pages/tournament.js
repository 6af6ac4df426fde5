import "./site.js";
import "../htmx/ext/hx-ws.min.js";
import "../js/transport.js";
import "../js/visible.js";
import "../js/tournament.js";
