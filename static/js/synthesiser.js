// @ts-check
// Synthesizes the sounds of a table: wood for tiles and knocks, a few soft notes for the rest.

import { newAudioContext } from "./fallbacks.js";

export const SOUNDS = /** @type {const} */ (["tile", "knock", "won", "lost", "over", "turn"]);
/** @typedef {(typeof SOUNDS)[number]} Sound */
/** @typedef {(audio: AudioContext, now: number) => void} Player */

/** @type {AudioContext | null} */
let audio = null;

// Browsers allow audio only after the visitor has pressed something.
for (const eventName of ["pointerdown", "keydown"]) {
  addEventListener(eventName, startAudio, { passive: true });
}

function startAudio() {
  audio ??= newAudioContext();
  audio?.resume().catch(() => {}); // rejects without a sound device
}

/** @param {AudioContext} audio @param {number} at @param {{ pitch: number, length: number, volume: number }} wood */
function playWood(audio, at, { pitch, length, volume }) {
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) {
    samples[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / samples.length) * volume;
  }
  const source = new AudioBufferSourceNode(audio, { buffer });
  const body = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 1.4 });
  source.connect(body).connect(audio.destination);
  source.start(at);
}

/** @param {AudioContext} audio @param {number} at @param {number} pitch @param {number} [volume] */
function playNote(audio, at, pitch, volume = 0.08) {
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setTargetAtTime(volume, at, 0.008);
  gain.gain.setTargetAtTime(0, at + 0.07, 0.07);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.6);
}

/**
 * @param {number[]} pitches
 * @returns {Player}
 */
const notes =
  (...pitches) =>
  (audio, now) => {
    for (const [index, pitch] of pitches.entries()) playNote(audio, now + index * 0.11, pitch);
  };

/** @type {Record<Sound, Player>} */
const PLAYERS = {
  tile: (audio, now) => playWood(audio, now, { pitch: 1300, length: 0.07, volume: 0.35 }),
  knock: (audio, now) => {
    for (const delay of [0, 0.16]) playWood(audio, now + delay, { pitch: 320, length: 0.12, volume: 0.9 });
  },
  turn: notes(392, 523),
  won: notes(523, 659, 784),
  lost: notes(392, 311),
  over: notes(523, 659, 784, 1047),
};
/** @type {Record<Sound, number>} */
const DELAYS = { tile: 0, knock: 0, won: 0.15, lost: 0.15, over: 0.3, turn: 0.45 };

// Play the named sounds, one after the other as at a real table.
/** @param {Sound[]} names */
export function play(names) {
  if (audio?.state !== "running") return;
  for (const name of names) PLAYERS[name](audio, audio.currentTime + DELAYS[name]);
}
