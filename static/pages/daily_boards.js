import "./site.js";
import "../js/board_nonce.js";
import "../js/copy.js";
