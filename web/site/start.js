'use strict';
// The first visit: the program is fetched, then this very address is asked again, now of the program.
const base = document.currentScript.dataset.base;
const told = document.querySelector('main p');
const again = () => location.reload();
if (!('serviceWorker' in navigator)) {
  told.textContent = 'This browser cannot keep a program: it needs service workers, and a page that came by https.';
} else {
  navigator.serviceWorker.addEventListener('controllerchange', again);
  navigator.serviceWorker.register(`${base}sw.js`, { scope: base, updateViaCache: 'none' })
    .then(() => navigator.serviceWorker.ready)
    .then(() => { if (navigator.serviceWorker.controller) again(); })
    .catch(problem => { told.textContent = `It could not be fetched: ${problem.message}. Load this page again to try again.`; });
}
