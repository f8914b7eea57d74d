// The actions of the page, the same for every product. A product's bundle sets `capture`, its call for a caught error.

/** Time with a resolution of 5 µs, because the page is isolated from other origins. */
const now = () => performance.now();

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

addEventListener('load', () => setTimeout(() => (globalThis.isCalm = true), 300));

// Three frames deep, like an error of a real shop.

function declineCard(number) {
  throw new RangeError(`Card ${number} was declined by the bank`);
}

function chargeCard(number) {
  declineCard(number);
}

let took = 0;

function pay(number) {
  try {
    chargeCard(number);
  } catch (error) {
    const began = now();
    globalThis.capture(error);
    took = now() - began;
  }
}

/** Throws an error that is reported, in a separate task. Resolves with the milliseconds that the report blocked. */
async function payLater(number) {
  setTimeout(pay, 0, number);
  await pause(1);
  return took;
}

/** Creates breadcrumbs before the errors. */
async function browse() {
  for (let at = 0; at < 10; at++) console.log('cart updated', at, true);
  for (const thing of things().slice(0, 5)) thing.click();
  await pause(100);
}

const things = () => [...document.querySelectorAll('.item > *')];

/** Returns the milliseconds that each of several reports of different errors blocks the page. */
async function timeReports(count) {
  const times = [];
  for (let number = 1; number <= count; number++) {
    await pause(100);
    times.push(await payLater(number));
  }
  return times;
}

/** Returns the microseconds of a call, in several batches. Deferred work runs between the batches. */
async function timeBatches(batches, calls, run) {
  const times = [];
  for (let batch = 0; batch < batches; batch++) {
    await pause(10);
    const began = now();
    await run(calls);
    times.push((1_000 * (now() - began)) / calls);
  }
  return times;
}

const timeConsole = (batches, calls) =>
  timeBatches(batches, calls, (count) => {
    for (let at = 0; at < count; at++) console.log('cart updated', at, true);
  });

/** The same with an object, which products copy, because the page may change it. */
const timeConsoleObjects = (batches, calls) =>
  timeBatches(batches, calls, (count) => {
    for (let at = 0; at < count; at++) {
      console.log('cart updated', { id: at, currency: 'EUR', paid: false, items: [{ sku: 'B-12', amount: 2 }] });
    }
  });

function timeClicks(batches, calls) {
  document.getElementById('shelf').addEventListener('click', (event) => event.preventDefault());
  const targets = things();
  return timeBatches(batches, calls, (count) => {
    for (let at = 0; at < count; at++) targets[at % targets.length].click();
  });
}

/** Sends a request without a network, whose time would hide the measured one. */
const timeFetch = (batches, calls) =>
  timeBatches(batches, calls, async (count) => {
    for (let at = 0; at < count; at++) await fetch('data:application/json,[]').then((response) => response.text());
  });

/** Logs a number of lines, a task for each hundred. */
async function logOften(count) {
  for (let at = 0; at < count; at++) {
    console.log('cart updated', at, true);
    if (at % 100 === 99) await pause(0);
  }
}

/** Reports errors with these numbers, a task for each ten. */
async function payOften(from, to) {
  for (let number = from; number < to; number++) {
    pay(number);
    if (number % 10 === 9) await pause(0);
  }
}

/**
 * Throws uncaught errors in a row, like a loop of events. `numberOf` returns the number in each message. Resolves with
 * the milliseconds until their work is done, including work that is deferred to the next tasks.
 */
async function throwOften(count, numberOf) {
  const loop = new EventTarget();
  loop.addEventListener('turn', ({ detail }) => chargeCard(detail));
  const began = now();
  for (let at = 0; at < count; at++) loop.dispatchEvent(new CustomEvent('turn', { detail: numberOf(at) }));
  await pause(0);
  await pause(0);
  return now() - began;
}

/** The same for errors that are caught and reported. */
async function captureOften(count, numberOf) {
  const began = now();
  for (let at = 0; at < count; at++) pay(numberOf(at));
  await pause(0);
  await pause(0);
  return now() - began;
}

/** Returns the milliseconds to parse, evaluate and start a bundle that starts itself. */
async function timeStart(url) {
  const script = document.createElement('script');
  script.textContent = await (await fetch(url)).text();
  await pause(200);
  const began = now();
  document.head.append(script);
  return now() - began;
}

const loadShapes = async () => void (await import('/shapes.js'));

Object.assign(globalThis, {
  browse,
  captureOften,
  loadShapes,
  logOften,
  payLater,
  payOften,
  throwOften,
  timeClicks,
  timeConsole,
  timeConsoleObjects,
  timeFetch,
  timeReports,
  timeStart,
});
