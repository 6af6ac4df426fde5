import "./site.js";
import "../htmx/ext/hx-ws.min.js";
import "../js/next_table.js";
import "../js/push.js";
import "../js/transport.js";
import "../js/visible.js";
