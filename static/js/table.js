// The table: choosing tiles, the keyboard, dragging, looking closer, clocks, the line to the server. The rules stay
// on the server.

import "./camera.js";
import "./clock.js";
import "./copy.js";
import "./drag.js";
import "./focus.js";
import "./keyboard.js";
import "./line.js";
import "./nonce.js";
import "./sound.js";
import "./viewer.js";
