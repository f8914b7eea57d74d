// Errors of every kind. Each is thrown on a separate page. A product is right if exactly one report arrives that
// contains all `marks`.

class CheckoutError extends Error {
  name = 'CheckoutError';
}

/** Throws an uncaught error. */
const throwLater = (thrown) =>
  setTimeout(() => {
    throw thrown;
  });

const rejectLater = (reason) => setTimeout(() => void Promise.reject(reason));

const fail = () => {
  throw new Error('a getter that fails');
};

const withGetters = (error, names) => {
  for (const name of names) Object.defineProperty(error, name, { get: fail });
  return error;
};

function foreignError(message) {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  return new frame.contentWindow.TypeError(message);
}

function failImage(name) {
  const image = document.createElement('img');
  image.src = `/${name}`;
  document.body.append(image);
}

const causes = () =>
  new Error('shape: order failed', {
    cause: new Error('shape: payment failed', { cause: new RangeError('shape: card declined') }),
  });

const several = () =>
  new AggregateError([new Error('shape: first of two'), new TypeError('shape: second of two')], 'shape: all failed');

globalThis.shapes = [
  {
    name: 'an error',
    marks: ['TypeError', 'shape: no cart'],
    run: () => throwLater(new TypeError('shape: no cart')),
  },
  {
    name: 'an error of a class of the page',
    marks: ['CheckoutError', 'shape: declined'],
    run: () => throwLater(new CheckoutError('shape: declined')),
  },
  { name: 'a text', marks: ['shape: plain words'], run: () => throwLater('shape: plain words') },
  { name: 'an object', marks: ['teapot'], run: () => throwLater({ status: 418, reason: 'teapot' }) },
  { name: 'undefined', marks: ['undefined'], run: () => throwLater(undefined) },
  {
    name: 'a rejection with an error',
    marks: ['TypeError', 'shape: rejected'],
    run: () => rejectLater(new TypeError('shape: rejected')),
  },
  { name: 'a rejection with a text', marks: ['shape: rejected text'], run: () => rejectLater('shape: rejected text') },
  { name: 'a rejection with an object', marks: ['kettle'], run: () => rejectLater({ status: 418, reason: 'kettle' }) },
  { name: 'a rejection with undefined', marks: ['undefined'], run: () => rejectLater(undefined) },
  {
    name: 'causes of causes',
    marks: ['shape: order failed', 'shape: payment failed', 'shape: card declined'],
    run: () => throwLater(causes()),
  },
  {
    name: 'the errors in an AggregateError',
    marks: ['shape: all failed', 'shape: first of two', 'shape: second of two'],
    run: () => throwLater(several()),
  },
  {
    name: 'a DOMException',
    marks: ['AbortError', 'shape: aborted by hand'],
    run: () => throwLater(new DOMException('shape: aborted by hand', 'AbortError')),
  },
  {
    name: 'a frozen error',
    marks: ['RangeError', 'shape: cold'],
    run: () => throwLater(Object.freeze(new RangeError('shape: cold'))),
  },
  {
    name: 'an error of another realm',
    marks: ['TypeError', 'shape: far away'],
    run: () => throwLater(foreignError('shape: far away')),
  },
  {
    name: 'an error with getters that throw',
    marks: ['shape: mined'],
    run: () => throwLater(withGetters(new Error('shape: mined'), ['name', 'stack', 'cause'])),
  },
  { name: 'an image that fails', marks: ['shape-missing.png'], run: () => failImage('shape-missing.png') },
  {
    name: 'captured and thrown again',
    marks: ['shape: twice'],
    run: () =>
      setTimeout(() => {
        const error = new Error('shape: twice');
        globalThis.capture(error);
        throw error;
      }),
  },
];
