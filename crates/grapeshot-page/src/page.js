// The page is whole without this: a form and links. With it the answer follows every tap.
const root = document.documentElement;
root.classList.add('js');
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
let newest = 0;

async function page(address, post, quiet) {
  const response = await fetch(address, post ?? await withDraft(address) ?? { headers: { accept: 'text/html' } });
  const worker = response.headers.get('grapeshot-work');
  // Without a server what takes long is worked out here, in a worker that can be stopped.
  const told = worker ? await (await import(worker)).work(response.url, quiet) : { text: await response.text(), url: response.url };
  return { page: new DOMParser().parseFromString(told.text, 'text/html'), at: told.url };
}

// What came replaces what is there; `whole` is false while somebody is at work in the form.
function show(fresh, whole) {
  const swap = selector => {
    const [old, now] = [one(selector), one(selector, fresh)];
    if (old && now) old.replaceWith(document.adoptNode(now));
  };
  document.title = fresh.title;
  if (whole || !one('#question') || !one('#question', fresh)) {
    swap('main');
  } else {
    const open = all('#answer details').map(part => part.open);
    const verdict = one('#verdict');
    verdict.replaceChildren(...document.adoptNode(one('#verdict', fresh)).childNodes);
    swap('#answer');
    const parts = all('#answer details');
    if (parts.length === open.length) parts.forEach((part, at) => { part.open = open[at]; });
    for (const field of all('.field', fresh)) {
      const own = one(`.field[data-key="${CSS.escape(field.dataset.key)}"]`);
      if (!own) continue;
      own.className = field.className;
      one('.problem', own).replaceChildren(...one('.problem', field).childNodes);
      // What can be chosen may depend on what was chosen elsewhere.
      const [mine, theirs] = [one('select', own), one('select', field)];
      if (mine && theirs && mine !== document.activeElement && mine.options.length !== theirs.options.length) mine.replaceChildren(...document.adoptNode(theirs).childNodes);
      for (const input of all('input[placeholder]', field)) {
        const mine = document.getElementById(input.id);
        if (mine) mine.placeholder = input.placeholder;
      }
    }
  }
  ready();
}

// Only the last tap counts.
async function go(address, { whole = false, keep = true } = {}) {
  const mine = ++newest;
  root.classList.add('waiting');
  try {
    const { page: fresh, at } = await page(address);
    if (mine !== newest) return;
    show(fresh, whole);
    const link = one('link[rel=canonical]', fresh);
    const shown = new URL(link ? link.getAttribute('href') : at, location.href);
    // One page is one step back, however often it was tapped.
    if (keep && shown.href !== location.href) history[shown.pathname === location.pathname ? 'replaceState' : 'pushState'](null, '', shown);
  } catch (problem) {
    // The answer that is there is kept; it is only not that of the last tap.
    if (mine === newest) lost(problem.message === 'stopped' ? 'Stopped: this is the answer from before.' : 'No connection: this is the answer from before.');
  } finally {
    if (mine === newest) root.classList.remove('waiting');
  }
}

function lost(told) {
  one('.lost')?.remove();
  const line = Object.assign(document.createElement('p'), { className: 'lost', textContent: told });
  line.setAttribute('role', 'alert');
  one('#verdict')?.append(line);
}

function query(form) {
  const said = new URLSearchParams(new FormData(form));
  return `${form.getAttribute('action')}?${said}`;
}

let soon;
function ask() {
  clearTimeout(soon);
  soon = setTimeout(() => go(query(one('#question'))), 20);
}

document.addEventListener('input', event => {
  if (event.target.closest('#question')) ask();
});

document.addEventListener('click', event => {
  const step = event.target.closest('button.step');
  if (step) {
    event.preventDefault();
    const [key, by] = step.value.split(':');
    const input = one('input', step.parentElement);
    const now = Number(input.value === '' ? input.placeholder : input.value) || 0;
    input.value = Math.min(Number(input.max), Math.max(Number(input.min), now + Number(by)));
    if (key) ask();
    return;
  }
  const copy = event.target.closest('button.copy');
  if (copy) return void take(copy);
  if (event.target.closest('button.printing')) return void window.print();
  const link = event.target.closest('#verdict a, #answer a, .reset a');
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (link && plain && link.pathname === location.pathname && !link.hash) {
    event.preventDefault();
    go(link.href, { whole: true }).then(() => scrollTo({ top: 0 }));
  }
});

document.addEventListener('submit', event => {
  const form = event.target;
  if (form.method !== 'get') return;
  event.preventDefault();
  go(query(form), { whole: form.id !== 'question' }).then(() => {
    if (form.id !== 'question') one('#luck')?.scrollIntoView();
  });
});

addEventListener('popstate', () => go(location.href, { whole: true, keep: false }));

async function take(button) {
  const text = button.dataset.copy ? document.getElementById(button.dataset.copy).textContent : location.href;
  const told = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https there is no clipboard to write to, only what is selected.
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = told; }, 1500);
}

// A part with an address of its own is fetched when it comes into view.
const seen = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    page(target.dataset.part, undefined, true).then(({ page: fresh }) => {
      const part = one('#part', fresh);
      if (!part || !target.isConnected) return;
      part.removeAttribute('id');
      target.append(document.adoptNode(part));
      target.classList.add('filled');
      sortable();
    }).catch(() => {});
  }
}, { rootMargin: '200px' });

function ready() {
  for (const button of all('button.copy, button.printing')) button.hidden = false;
  for (const part of all('[data-part]:not(.filled)')) seen.observe(part);
  sortable();
  shelve();
  compared();
  lined();
  evening();
  logged();
  going();
}

// Without a server: a new version waits until somebody wants it.
async function newer() {
  const kept = await navigator.serviceWorker?.getRegistration();
  if (!kept) return;
  // Whoever asks for it asks for every page that is open: none goes on with half of each.
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
  const offer = () => {
    if (!kept.waiting || one('.newer')) return;
    one('.top nav').append(element('button', { type: 'button', className: 'newer', textContent: 'Use the new version', onclick: () => kept.waiting?.postMessage('use the new version') }));
  };
  const coming = () => kept.installing?.addEventListener('statechange', offer);
  kept.addEventListener('updatefound', coming);
  coming();
  offer();
}

// Whoever comes back to the start goes on with the last question in one tap.
const last = {
  read: () => { try { return JSON.parse(localStorage.getItem('grapeshot-last')); } catch { return null; } },
  write: said => { try { localStorage.setItem('grapeshot-last', JSON.stringify(said)); } catch { /* nothing is kept then */ } },
};
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden' && one('#question')) last.write({ title: document.title.split(' · ')[0], at: location.pathname + location.search });
});

function going() {
  const start = one('.brand'), kept = last.read();
  if (start.pathname !== location.pathname || !kept || one('.going')) return;
  const row = element('p', { className: 'pills going' }, element('a', { href: kept.at, textContent: `Go on: ${kept.title}` }));
  if (journal.read().length) row.append(element('a', { href: `${start.href}evening`, textContent: 'The evening' }));
  one('main .about').after(row);
}
