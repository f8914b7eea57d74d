/* oxlint-disable no-extend-native -- these pages do */
import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import type { PageScript } from '../test-context.ts';
import { abuse, type Abuse } from './abuse-case.ts';
import { hurryRetries } from './hurry-retries.ts';

/** Uses everything in a later script. */
const thenUseEverything: Partial<Abuse> = {
  files: { 'then.js': `(${String(useEverything)})();` },
  html: '<script defer src="then.js"></script>',
};

/** Returns a case whose page changes its globals before init(), and then logs, navigates, fetches and throws. */
function changedBefore(before: PageScript, given: Partial<Abuse> = {}): ReturnType<typeof abuse> {
  return abuse({ before, script: useEverything, reports: ['captured', 'fails'], uncaught: ['fails'], ...given });
}

/** Returns a case whose page changes its globals after init(). */
function changedAfter(script: PageScript, given: Partial<Abuse> = {}): ReturnType<typeof abuse> {
  return abuse({
    script,
    ...thenUseEverything,
    reports: ['captured', 'fails'],
    uncaught: ['fails'],
    ...given,
  });
}

function useEverything(): void {
  console.log('a line', { of: ['the', 'page'] });
  history.replaceState(null, '', '?step=2');
  void fetch('watch.js');
  ServiceSDK.setMetadata({ list: [1, 2], plan: { seats: 3 } });
  ServiceSDK.captureException(new Error('captured', { cause: new Error('the cause') }));
  throw new TypeError('fails');
}

/** A script that undoes what a page did, once the reports are sent: WebKit's driver needs clean prototypes. */
const cleaning = (statements: string): Partial<Abuse> => ({
  html: '<script defer src="clean.js"></script>',
  files: { 'clean.js': `setTimeout(() => ServiceSDK.flush().then(() => { ${statements} }), 20);` },
});

/** Returns a case whose page deletes globals, which old browsers lack. */
const without = (names: string[], given: Partial<Abuse> = {}): ReturnType<typeof abuse> =>
  abuse({
    html: `<script>for (const name of ${JSON.stringify(names)}) { delete self[name]; delete Object.getPrototypeOf(self)[name]; if (name in self) Object.defineProperty(self, name, { value: undefined, configurable: true }); }</script>`,
    script: useEverything,
    reports: ['captured', 'fails'],
    uncaught: ['fails'],
    ...given,
  });

export const hostilePages: SdkPromise = {
  promise: 'Pages that freeze, extend, replace or delete globals keep working, and their errors arrive',
  cases: {
    'frozen intrinsics, as a lockdown does': changedBefore(() => {
      for (const { prototype } of [Object, Array, Function, Error, Promise, String, Map, Set, RegExp, Date]) {
        Object.freeze(prototype);
      }
      Object.freeze(JSON);
      Object.freeze(Math);
    }),
    'a frozen console, history and XMLHttpRequest': changedBefore(() => {
      Object.freeze(console);
      Object.freeze(history);
      Object.freeze(XMLHttpRequest.prototype);
    }),
    'globals that are frozen after init()': changedAfter(() => {
      Object.freeze(console);
      Object.freeze(history);
      Object.freeze(XMLHttpRequest.prototype);
      Object.freeze(Object.prototype);
      Object.freeze(Array.prototype);
    }),
    'Object.prototype with enumerable members': changedBefore(
      () => {
        Reflect.set(Object.prototype, 'extra', () => 'of the page');
        Reflect.set(Object.prototype, 'polluted', 'yes');
      },
      {
        ...cleaning('delete Object.prototype.extra; delete Object.prototype.polluted;'),
        check: (reports) => {
          for (const report of reports) {
            const { polluted, ...own } = report as unknown as Record<string, unknown>;
            expect(polluted).toBeUndefined();
            expect(JSON.stringify(own)).not.toMatch(/polluted|extra/);
            expect(report.metadata).toEqual({ list: [1, 2], plan: { seats: 3 } });
          }
        },
      },
    ),
    'Object.prototype with members named like fields of the SDK': changedBefore(() => {
      for (const name of ['beforeSend', 'transport', 'debug', 'ignoreErrors', 'level', 'tags', 'early', 'stopped']) {
        Object.defineProperty(Object.prototype, name, { value: undefined, writable: true, configurable: true });
      }
    }),
    'Array.prototype with enumerable members': changedBefore(
      () => {
        Reflect.set(Array.prototype, 'contains', function contains() {});
        Reflect.set(Array.prototype, 'last', 'text');
      },
      {
        ...cleaning('delete Array.prototype.contains; delete Array.prototype.last;'),
        check: (reports) => expect(reports[0]?.metadata).toEqual({ list: [1, 2], plan: { seats: 3 } }),
      },
    ),
    'Array.prototype with methods of another meaning': changedBefore(
      () => {
        Array.prototype.flat = function flat() {
          return [];
        } as never;
        Reflect.deleteProperty(Array.prototype, 'at');
        Reflect.deleteProperty(Array.prototype, 'toReversed');
        Reflect.deleteProperty(Array.prototype, 'toSorted');
        Reflect.deleteProperty(String.prototype, 'replaceAll');
        Reflect.deleteProperty(Object, 'hasOwn');
        Reflect.deleteProperty(Object, 'groupBy');
      },
      {
        ...thenUseEverything,
        options: null,
        script: ({ options }) => ServiceSDK.init({ ...options, beforeSend: (report) => report }),
      },
    ),
    'prototypes that are patched after init()': changedAfter(() => {
      const { push, map } = Array.prototype;
      Array.prototype.push = function own(...args) {
        return Reflect.apply(push, this, args);
      };
      Array.prototype.map = function own(this: unknown[], ...args: unknown[]) {
        return Reflect.apply(map, this, args) as never;
      };
      const { replace } = String.prototype;
      String.prototype.replace = function own(...args: unknown[]) {
        return Reflect.apply(replace, this, args);
      };
    }),
    'promises that are patched like zone.js does, before init()': changedBefore(() => {
      const { then } = Promise.prototype;
      // oxlint-disable-next-line unicorn/no-thenable -- zone.js does
      Promise.prototype.then = function zoned(this: Promise<unknown>, ...args: never[]) {
        return Reflect.apply(then, this, args);
      } as never;
      const Native = Promise;
      class ZonePromise<Value> extends Native<Value> {}
      self.Promise = ZonePromise as never;
      const { setTimeout, addEventListener } = self;
      self.setTimeout = ((...args: Parameters<typeof setTimeout>) => setTimeout(...args)) as never;
      EventTarget.prototype.addEventListener = function zoned(this: EventTarget, ...args: never[]) {
        return Reflect.apply(addEventListener, this ?? self, args);
      };
    }),
    'a Promise that the page replaces after init()': changedAfter(() => {
      const Native = Promise;
      class ZonePromise<Value> extends Native<Value> {}
      self.Promise = ZonePromise as never;
    }),
    'a clock that does not move': changedBefore(() => {
      const at = Date.now();
      Date.now = () => at;
    }),
    'a random generator that returns one number': changedBefore(
      () => {
        Math.random = () => 0.5;
      },
      { check: (reports) => expect(new Set(reports.map(({ event_id: id }) => id)).size).toBe(2) },
    ),
    'two page loads with the same seed have separate event ids': changedBefore(
      () => {
        let seed = 7;
        Math.random = () => {
          seed = (seed * 16_807) % 2_147_483_647;
          return seed / 2_147_483_647;
        };
      },
      {
        reports: ['captured', 'fails', 'captured', 'fails', 'the error at the end'],
        act: async ({ page, tab }) => {
          await page.run(() => self.throwLast());
          await page.flush();
          await tab.reload();
        },
        check: (reports) => expect(new Set(reports.map(({ event_id: id }) => id)).size).toBe(4),
      },
    ),
    'fake timers that the page installs after init() and removes': changedAfter(
      () => {
        const { setTimeout, clearTimeout, setInterval } = self;
        self.setTimeout = (() => 1) as never;
        self.clearTimeout = () => {};
        self.setInterval = (() => 1) as never;
        ServiceSDK.captureException(new Error('captured'));
        Object.assign(self, { setTimeout, clearTimeout, setInterval });
      },
      { html: '', uncaught: [], reports: ['captured'] },
    ),
    'fake timers before init()': abuse({
      before: () => {
        const { setTimeout } = self;
        const waiting: (() => void)[] = [];
        self.setTimeout = ((run: () => void) => waiting.push(run)) as never;
        self.results = [
          () => {
            self.setTimeout = setTimeout;
            for (const run of waiting.splice(0)) run();
          },
        ];
      },
      script: () => {
        ServiceSDK.captureException(new Error('captured'));
        (self.results[0] as () => void)();
      },
      reports: ['captured'],
    }),
    'JSON.stringify that throws for a while': abuse({
      before: hurryRetries,
      script: async () => {
        const { stringify } = JSON;
        JSON.stringify = () => {
          throw new Error('no JSON');
        };
        ServiceSDK.captureMessage('captured');
        await ServiceSDK.flush(60_000);
        JSON.stringify = stringify;
      },
      // After three failed attempts, sending pauses.
      warnings: [/W10/],
      isSilent: true,
    }),
    'Error.prepareStackTrace that returns no text': changedBefore(() => {
      Reflect.set(Error, 'prepareStackTrace', (_error: Error, frames: unknown[]) => frames);
    }),
    'Error.stackTraceLimit 0': changedBefore(() => {
      Reflect.set(Error, 'stackTraceLimit', 0);
    }),
    'without AbortSignal and AbortController': without(['AbortSignal', 'AbortController']),
    'without AbortSignal.timeout': changedBefore(() => {
      Reflect.deleteProperty(AbortSignal, 'timeout');
    }),
    'without navigator.sendBeacon': changedBefore(() => {
      Reflect.deleteProperty(Navigator.prototype, 'sendBeacon');
    }),
    'without crypto': without(['crypto']),
    'without TextEncoder, structuredClone, WeakRef, queueMicrotask and reportError': without([
      'TextEncoder',
      'structuredClone',
      'WeakRef',
      'FinalizationRegistry',
      'queueMicrotask',
      'reportError',
    ]),
    'without performance, requestIdleCallback and Intl': without(['performance', 'requestIdleCallback', 'Intl']),
    'without PromiseRejectionEvent, AggregateError and DOMException': without([
      'PromiseRejectionEvent',
      'AggregateError',
      'DOMException',
    ]),
    'an addEventListener that throws': changedBefore(
      () => {
        const original = self.addEventListener;
        self.addEventListener = (() => {
          throw new Error('no listeners');
        }) as never;
        self.results = [original];
      },
      // `onerror` still sees the error.
      { warnings: [/W5/] },
    ),
    'a locked onerror': changedBefore(() => {
      Object.defineProperty(self, 'onerror', { value: self.onerror, writable: false, configurable: false });
    }),
    'an onerror that the page removes': changedAfter(
      () => {
        // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the page does
        window.onerror = null;
      },
      { replacesOnerror: true },
    ),
    'state of another version of the SDK': changedBefore(() => {
      self.__serviceSDK = { early: [], version: '9.9.9' } as never;
    }),
    'state that is frozen and of wrong types': changedBefore(() => {
      self.__serviceSDK = Object.freeze({ started: 'yes', stopped: null, bytesInFlight: 'many' }) as never;
    }),
    'an element with the name of the state': changedBefore(() => {}, {
      html: '<img id="__serviceSDK"><form name="ServiceSDK"></form>',
    }),
    'two copies of the SDK, each with its own key': abuse({
      html: '<script src="/sdk/index.iife.js"></script><script>self.First = ServiceSDK;</script>',
      options: null,
      script: ({ options }) => {
        const { First } = self as unknown as { First: typeof ServiceSDK };
        First.init({ ...options, apiKey: 'pk_first' });
        ServiceSDK.init(options);
        First.captureMessage('by the first');
        ServiceSDK.captureMessage('by the second');
      },
      // Both report the last error.
      reports: ['by the first', 'by the second', 'the error at the end'],
    }),
    'events that a listener of the page stops': changedBefore(() => {
      for (const name of ['error', 'unhandledrejection', 'click', 'pagehide']) {
        document.addEventListener(name, (event) => event.stopImmediatePropagation(), true);
      }
    }),
    'a Content-Security-Policy that forbids requests to the endpoint': abuse({
      headers: { 'content-security-policy': `connect-src 'self'` },
      before: hurryRetries,
      script: async () => {
        ServiceSDK.captureMessage('forbidden');
        await ServiceSDK.flush(60_000);
      },
      warnings: [/W10/],
      isSilent: true,
    }),
  },
};
