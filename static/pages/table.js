// The page of a table: choosing tiles, keyboard, dragging, zooming, clocks and the connection to the server. The rules
// stay on the server.
import "./site.js";
import "../htmx/ext/hx-ws.min.js";
import "../js/attention.js";
import "../js/beside.js";
import "../js/bubbles.js";
import "../js/camera.js";
import "../js/celebrate.js";
import "../js/clock.js";
import "../js/copy.js";
import "../js/drag.js";
import "../js/explain.js";
import "../js/felt.js";
import "../js/focus.js";
import "../js/invite.js";
import "../js/keyboard.js";
import "../js/connection.js";
import "../js/looks.js";
import "../js/nonce.js";
import "../js/premove.js";
import "../js/push.js";
import "../js/rematch.js";
import "../js/screen.js";
import "../js/share.js";
import "../js/sound.js";
import "../js/viewer.js";
import "../js/visible.js";
