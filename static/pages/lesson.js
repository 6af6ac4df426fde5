import "./site.js";
import "../js/lesson.js";
