// A short click when a tile is laid, synthesised here; off by default.

import { remembered } from "./memory.js";

const match = document.getElementById("match");
const wanted = remembered(document.getElementById("use-sound"), "sound", match.hasAttribute("data-sound"));
const newest = () => match.querySelector("#board .last")?.id;
let heard = newest();
let audio = null;

function click() {
  audio ??= new AudioContext();
  const length = 0.07;
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) {
    samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (samples.length / 9)) * 0.35;
  }
  const source = new AudioBufferSourceNode(audio, { buffer });
  const wood = new BiquadFilterNode(audio, { type: "bandpass", frequency: 1300, Q: 1.4 });
  source.connect(wood).connect(audio.destination);
  source.start();
}

document.addEventListener("htmx:after:swap", () => {
  const now = newest();
  if (now && now !== heard && wanted()) click();
  heard = now;
});
