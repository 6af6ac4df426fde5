import "./site.js";
import "../js/copy.js";
import "../js/push.js";
