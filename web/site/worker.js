'use strict';
// Works out what takes long; the page that started it ends it when somebody wants it to.
const here = new URL('./', location.href).pathname;
const [, base, version] = here.match(/^(.*\/)v-([^/]+)\/$/);
importScripts(`${here}engine.js`);
const program = load(base, version);

addEventListener('message', async ({ data }) => {
  try {
    postMessage(ask(await program, base.slice(0, -1), 'GET', data, new Uint8Array()));
  } catch (fault) {
    postMessage({ fault: String(fault) });
  }
});
