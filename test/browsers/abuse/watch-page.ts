/** What happened in a page, seen by the page itself. */
interface SeenByPage {
  /** The messages of errors and rejections that reached the page's own listeners. */
  uncaught: string[];
  /** The messages of errors that reached the page's own `onerror`. */
  onerror: string[];
  /** The lines of the SDK, of every level. */
  lines: string[];
}

/**
 * The first script of a page under abuse. Keeps the browser's own functions, because the page replaces some later. Runs
 * in the page, so it must not use variables of its surroundings.
 */
export function watchPage(): void {
  const { setTimeout, Promise, String } = self;
  const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const seen: SeenByPage = { uncaught: [], onerror: [], lines: [] };
  self.seen = seen;

  const messageOf = (value: unknown, text = ''): string => {
    try {
      return String((value as Error | null)?.message ?? (text || String(value)));
    } catch {
      return 'unreadable';
    }
  };
  self.listen = () => {
    addEventListener('error', (event) => {
      // A resource that fails to load has no message.
      if (event instanceof ErrorEvent) seen.uncaught.push(messageOf(event.error, event.message));
    });
    addEventListener('unhandledrejection', ({ reason }) => seen.uncaught.push(messageOf(reason)));
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK must call it
    window.onerror = (message, _file, _line, _column, error) => {
      seen.onerror.push(messageOf(error, String(message)));
    };
  };
  self.listen();
  for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    const original = console[level];
    console[level] = (...args) => {
      if (typeof args[0] === 'string' && args[0].startsWith('[ServiceSDK]')) seen.lines.push(args[0]);
      original.apply(console, args);
    };
  }

  const target = new EventTarget();
  target.addEventListener('last', function atTheEnd() {
    throw new Error('the error at the end');
  });
  const lastEvent = new Event('last');
  self.throwLast = () => target.dispatchEvent(lastEvent);

  // Browsers call error handlers in separate tasks.
  self.settle = async () => {
    for (let task = 0; task < 3; task++) await pause();
    await Promise.race([ServiceSDK.flush(5_000), pause(6_000)]);
  };

  const abilities: Record<string, () => unknown> = {
    timer: () => new Promise((resolve) => self.setTimeout(resolve)),
    promise: () => self.Promise.resolve().then(() => true),
    fetch: async () => (await fetch('watch.js')).text(),
    xhr: () =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.addEventListener('load', resolve);
        request.open('GET', 'watch.js');
        request.send();
      }),
    listener: () =>
      new Promise((resolve) => {
        const button = document.createElement('button');
        button.addEventListener('click', resolve);
        button.click();
      }),
    history: () => history.replaceState(history.state, '', location.href),
    console: () => console.debug('a line of the page'),
    error: () => new Error('not thrown', { cause: 'none' }).message,
  };
  self.checkAbilities = async (expectedToFail) => {
    const broken: string[] = [];
    for (const [name, use] of Object.entries(abilities)) {
      const works = (async () => (await use(), true))().catch(() => false);
      // On a busy machine, also an ability that works takes long.
      if (!(await Promise.race([works, pause(expectedToFail.includes(name) ? 2_000 : 20_000)]))) broken.push(name);
    }
    return broken;
  };
}

declare global {
  var seen: SeenByPage;
  /** Adds the page's own handlers of errors. */
  var listen: () => void;
  /** Throws the last error of a case, in a listener of the page. */
  var throwLast: () => void;
  /** Resolves once all captured errors are sent and answered, at most six seconds later. */
  var settle: () => Promise<void>;
  /**
   * Resolves with the names of the page's abilities that do not work. Waits less for those that are expected to fail.
   */
  var checkAbilities: (expectedToFail: string[]) => Promise<string[]>;
}
