import { captureException, init } from './sdk/index.js';

const settings = new URLSearchParams(location.search);

init({
  apiKey: settings.get('key') ?? '',
  endpoint: settings.get('server') ?? 'http://127.0.0.1:4400',
  environment: 'example',
  release: '0.1.0',
});
if (settings.has('key')) document.querySelector('#no-key').remove();

const teas = { sencha: { minutes: 2 }, assam: { minutes: 4 } };

function brew(name) {
  const { minutes } = teas[name];
  return `${name}: ${minutes} minutes`;
}

function say(text) {
  document.querySelector('output').textContent = text;
}

// Uncaught: an error of the page.
document.querySelector('#oolong').addEventListener('click', () => {
  say('This went wrong.');
  say(brew('oolong'));
});

// Unhandled: a rejected promise.
document.querySelector('#stock').addEventListener('click', async () => {
  say('This went wrong too.');
  const answer = await fetch('stock.html');
  if (!answer.ok) throw new Error(`The stock can not be read: ${answer.status}`);
});

// The page can continue, and reports the error.
document.querySelector('#voucher').addEventListener('click', () => {
  try {
    JSON.parse('TEA-10');
  } catch (error) {
    captureException(error, { level: 'warning', metadata: { voucher: 'TEA-10' } });
    say('This voucher is not known.');
  }
});
