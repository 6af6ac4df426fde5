import "./site.js";
import "../js/push.js";
