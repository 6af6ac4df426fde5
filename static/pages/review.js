import "./site.js";
import "../js/review.js";
