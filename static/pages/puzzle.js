import "./lesson.js";
import "../js/copy.js";
