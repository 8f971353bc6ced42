// What takes long, worked out in a worker of its own, with a button that stops it.
const here = new URL('./', import.meta.url).pathname;
const [, base, version] = here.match(/^(.*\/)v-([^/]+)\/$/);
let worker, bar;

function show(stop) {
  bar ??= document.body.appendChild(Object.assign(document.createElement('p'), { className: 'working' }));
  bar.setAttribute('role', 'status');
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Stop' });
  button.addEventListener('click', stop);
  bar.replaceChildren('Working it out. ', button);
  bar.hidden = false;
}

function one(address, quiet) {
  worker ??= new Worker(`${here}worker.js`);
  return new Promise((told, failed) => {
    const end = problem => { worker?.terminate(); worker = undefined; failed(new Error(problem)); };
    if (!quiet) show(() => end('stopped'));
    worker.onmessage = ({ data }) => (data.fault ? end(data.fault) : told(data));
    worker.onerror = event => end(event.message);
    worker.postMessage(address);
  }).finally(() => { if (bar) bar.hidden = true; });
}

// The answer at an address of this site, and the address it has in the end. One at a time; nothing is said of what nobody
// asked for, such as what else could be done.
let last = Promise.resolve();
export function work(address, quiet) {
  const mine = last.catch(() => {}).then(() => worked(address, quiet));
  last = mine;
  return mine;
}

async function worked(address, quiet) {
  let at = new URL(address, location.href);
  for (let hop = 0; hop < 4; hop += 1) {
    const { status, headers, bytes } = await one('/' + at.pathname.slice(base.length) + at.search, quiet);
    const to = headers.find(([name]) => name === 'location');
    if (to) {
      at = new URL(to[1], at);
      continue;
    }
    if (status === 200) {
      const kept = await caches.open(`grapeshot-answers-${version}`);
      const keys = await kept.keys();
      if (keys.length >= 40) await kept.delete(keys[0]);
      await kept.put(at.href, new Response(bytes, { status, headers }));
    }
    return { text: new TextDecoder().decode(bytes), url: at.href, status };
  }
  throw new Error('led in a circle');
}

// On the page that waits for an answer.
if (document.body.dataset.wait !== undefined) {
  const told = document.querySelector('main p');
  work(location.href).then(({ text, url, status }) => {
    if (status === 200) return location.replace(url);
    // What is refused is not kept: it is shown as it is.
    const page = new DOMParser().parseFromString(text, 'text/html');
    document.title = page.title;
    document.querySelector('main').replaceWith(document.adoptNode(page.querySelector('main')));
  }).catch(problem => {
    told.textContent = problem.message === 'stopped' ? 'Stopped.' : `There is no answer: ${problem.message}.`;
    const back = Object.assign(document.createElement('a'), { href: base, textContent: 'To the start' });
    told.append(' ', back);
  });
}
