import "./table.js";
import "../js/tv.js";
