'use strict';
// The program and how it is asked: for the service worker, and for the worker of what takes long.
const FILES_OF = (base, version) => `${base}v-${version}/`;
const asBytes = new TextEncoder(), asText = new TextDecoder();

// Loads the program from the files of its own version; nothing is fetched if they are there.
async function load(base, version) {
  const at = `${FILES_OF(base, version)}grapeshot.wasm`;
  const kept = await (await caches.open(`grapeshot-${version}`)).match(at) ?? await fetch(at);
  const { instance } = await WebAssembly.instantiateStreaming(kept, {});
  if (!instance.exports.start()) throw new Error('the rulesets do not load');
  return instance.exports;
}

function write(program, pieces) {
  const at = program.take(pieces.reduce((sum, piece) => sum + piece.length, 0));
  const room = new Uint8Array(program.memory.buffer);
  pieces.reduce((to, piece) => (room.set(piece, to), to + piece.length), at);
  return pieces.map(piece => piece.length);
}

const isLong = (program, address) => program.work(...write(program, [asBytes.encode(address)])) === 1;

// A response, from a folder such as `/grapeshot` (or nothing), a method, an address and a body.
function ask(program, folder, method, address, body) {
  const said = [folder, method, address].map(text => asBytes.encode(text));
  const out = program.answer(...write(program, [...said, body]));
  const { buffer } = program.memory, view = new DataView(buffer);
  const length = view.getUint32(out, true), status = view.getUint16(out + 4, true), head = view.getUint32(out + 6, true);
  const lines = asText.decode(new Uint8Array(buffer, out + 10, head)).trim().split('\n');
  const headers = lines.map(line => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]);
  const bytes = new Uint8Array(buffer, out + 10 + head, length - 6 - head).slice();
  return { status, headers, bytes };
}
