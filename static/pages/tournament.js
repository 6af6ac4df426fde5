import "./site.js";
import "../htmx/ext/hx-ws.min.js";
import "../js/transport.js";
import "../js/entry_nonce.js";
import "../js/next_table.js";
import "../js/visible.js";
