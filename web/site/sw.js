'use strict';
// The page without a server: every address under the scope is answered by the program itself, offline too.
const VERSION = '@VERSION@';
const BASE = new URL('./', location.href).pathname;
importScripts(`${BASE}v-${VERSION}/engine.js`);
const HERE = FILES_OF(BASE, VERSION), CACHE = `grapeshot-${VERSION}`, ANSWERS = `grapeshot-answers-${VERSION}`;
const FILES = ['engine.js', 'grapeshot.wasm', 'long.js', 'start.css', 'wait.html', 'worker.js'].map(name => HERE + name);

// All files of a version or none: they lie in a folder of its name. An old version goes on until its last page is
// closed, or somebody asks for the new one; nobody gets half of each.
addEventListener('install', event => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  try {
    await cache.addAll(FILES.map(file => new Request(file, { cache: 'reload' })));
  } catch (problem) {
    await caches.delete(CACHE);
    throw problem;
  }
})()));
addEventListener('activate', event => event.waitUntil((async () => {
  for (const key of await caches.keys()) {
    if (key.startsWith('grapeshot-') && key !== CACHE && key !== ANSWERS) await caches.delete(key);
  }
  await clients.claim();
})()));
addEventListener('message', event => {
  if (event.data === 'use the new version') event.waitUntil(skipWaiting());
});

let program;
async function answered(request) {
  const url = new URL(request.url);
  const cache = await caches.open(CACHE);
  if (FILES.includes(url.pathname)) return await cache.match(url.pathname) ?? fetch(request);
  const address = '/' + url.pathname.slice(BASE.length) + url.search;
  program ??= load(BASE, VERSION);
  try {
    const loaded = await program;
    const worked = await (await caches.open(ANSWERS)).match(url.href);
    if (worked && request.method === 'GET') return worked;
    if (request.method === 'GET' && isLong(loaded, address)) return longer(request, cache);
    const body = request.method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array();
    const { status, headers, bytes } = ask(loaded, BASE.slice(0, -1), request.method, address, body);
    return new Response(bytes, { status, headers });
  } catch (fault) {
    // A fault leaves the memory as it was: the next question starts anew.
    program = undefined;
    return new Response(`That was a fault of the program, not of the question: ${fault}`, { status: 500 });
  }
}

// What takes long is left to a worker of the page, which can be stopped: here everybody else would wait.
async function longer(request, cache) {
  if (request.mode === 'navigate') return cache.match(`${HERE}wait.html`);
  return new Response(null, { status: 202, headers: { 'grapeshot-work': `${HERE}long.js` } });
}

addEventListener('fetch', event => {
  if (event.request.url.startsWith(location.origin + BASE)) event.respondWith(answered(event.request));
});
