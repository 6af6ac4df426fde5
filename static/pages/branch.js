import "./site.js";
import "../js/branch.js";
