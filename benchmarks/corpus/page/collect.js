// Runs before the app: draws the values that differ from one occurrence to the next, and writes down what fails as a
// page can see it. The names of the fields are those of a record.
/** Told for the button that was pressed last. */
let told = null;
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

const isTold = () => told !== null;

function tell(record) {
  told ??= record;
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
  if (event instanceof ErrorEvent) tell({ mechanism: 'onerror', ...valueFields(event.error), ...placeFields(event) });
});
addEventListener('unhandledrejection', ({ reason }) => {
  tell({ mechanism: 'unhandledrejection', ...valueFields(reason) });
});
self.reportCaught = (error) => tell({ mechanism: 'captured', ...valueFields(error) });
// A worker's error comes without the error itself.
self.workerFailed = (event) => {
  tell({ mechanism: 'onerror', value_type: 'null', name: null, message: null, stack: null, ...placeFields(event) });
};

/** Mulberry32: the same values for the same seed in every engine. */
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

/** Called before a button is clicked: draws new values, from an address of its own. */
self.begin = (seed) => {
  random = seeded(seed);
  history.replaceState(null, '', `/ferry/${self.values.word()}/${self.values.amount()}?ref=${hex(12)}`);
  told = null;
};

/** What was told since, as a text; `null` if nothing was for three seconds. */
self.end = async () => {
  const url = location.href;
  for (const end = performance.now() + 3_000; !isTold() && performance.now() < end;) await turn();
  return JSON.stringify(told && { ...told, url, user_agent: navigator.userAgent });
};
