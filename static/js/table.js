// @ts-check
// The page of a table: choosing tiles, keyboard, dragging, zooming, clocks and the connection to the server. The rules
// stay on the server.

import "./attention.js";
import "./beside.js";
import "./bubbles.js";
import "./camera.js";
import "./celebrate.js";
import "./clock.js";
import "./copy.js";
import "./drag.js";
import "./explain.js";
import "./felt.js";
import "./focus.js";
import "./invite.js";
import "./keyboard.js";
import "./connection.js";
import "./looks.js";
import "./nonce.js";
import "./premove.js";
import "./rematch.js";
import "./screen.js";
import "./share.js";
import "./sound.js";
import "./viewer.js";
import "./visible.js";
