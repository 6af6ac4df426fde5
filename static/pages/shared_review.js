import "./site.js";
import "../htmx/ext/hx-ws.min.js";
import "../js/review.js";
import "../js/shared_review.js";
import "../js/visible.js";
