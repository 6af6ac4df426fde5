import "./site.js";
import "../js/verify.js";
