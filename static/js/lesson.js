// A task of a lesson: tiles are chosen and played as at a table, but every answer is a page with its own address.

import "./camera.js";
import "./drag.js";
import "./focus.js";
import "./keyboard.js";
