// A task of a lesson: the table's own ways to choose and play a tile. Every page of it is asked for by address.

import "./camera.js";
import "./drag.js";
import "./focus.js";
import "./keyboard.js";
