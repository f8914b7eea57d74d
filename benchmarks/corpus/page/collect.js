// Runs before the app: draws the values that differ between occurrences, and records errors as a page can see them. The
// names of the fields are those of a record.
/** The first error since `begin()`, or null. */
let recorded = null;
let random = Math.random;

const words = 'amber birch cedar delta ember fjord grove heron indigo jasper kestrel larch maple nimbus'.split(' ');
const pick = (count) => Math.floor(random() * count);
const hex = (length) => Array.from({ length }, () => pick(16).toString(16)).join('');
self.values = {
  word: () => words[pick(words.length)],
  id: () => [hex(8), hex(4), `4${hex(3)}`, `a${hex(3)}`, hex(12)].join('-'),
  mail: () => `${words[pick(words.length)]}.${words[pick(words.length)]}${pick(100)}@example.org`,
  amount: () => 10 + pick(9_000),
};

const isRecorded = () => recorded !== null;

function recordError(record) {
  recorded ??= record;
}

const isError = (value) => value instanceof Error || value instanceof DOMException;
const errorFields = ({ name, message, stack }) => ({ name, message, stack: stack ?? null });

function valueFields(value) {
  if (!isError(value)) {
    const kind = value === null ? 'null' : typeof value;
    return { value_type: kind, name: null, message: kind === 'object' ? JSON.stringify(value) : String(value) };
  }
  return {
    value_type: 'error',
    ...errorFields(value),
    ...(isError(value.cause) && { cause: errorFields(value.cause) }),
    ...(Array.isArray(value.errors) && value.errors.every(isError) && { errors: value.errors.map(errorFields) }),
  };
}

const placeFields = ({ message, filename, lineno, colno }) => ({ event_message: message, filename, lineno, colno });

addEventListener('error', (event) => {
  if (event instanceof ErrorEvent)
    recordError({ mechanism: 'onerror', ...valueFields(event.error), ...placeFields(event) });
});
addEventListener('unhandledrejection', ({ reason }) => {
  recordError({ mechanism: 'unhandledrejection', ...valueFields(reason) });
});
self.reportCaught = (error) => recordError({ mechanism: 'captured', ...valueFields(error) });
// An error event of a worker has no error object.
self.workerFailed = (event) => {
  recordError({
    mechanism: 'onerror',
    value_type: 'null',
    name: null,
    message: null,
    stack: null,
    ...placeFields(event),
  });
};

/** Mulberry32: returns the same values for the same seed in every engine. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

/** Called before a button is clicked: seeds the values, and changes the URL of the page. */
self.begin = (seed) => {
  random = seeded(seed);
  history.replaceState(
    null,
    '',
    `/${location.pathname.split('/')[1]}/${self.values.word()}/${self.values.amount()}?ref=${hex(12)}`,
  );
  recorded = null;
};

/** Returns the first error since `begin()` as JSON, or `null` after three seconds without one. */
self.end = async () => {
  const url = location.href;
  for (const end = performance.now() + 3_000; !isRecorded() && performance.now() < end;) await turn();
  return JSON.stringify(recorded && { ...recorded, url, user_agent: navigator.userAgent });
};
