import "./site.js";
import "../js/explain.js";
