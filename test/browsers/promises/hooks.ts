/* oxlint-disable unicorn/prefer-add-event-listener -- these handlers are tested */
import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';

export const handlers: SdkPromise = {
  promise: "The page's own handlers, set before or after init(), are still called; each error is reported once",
  cases: {
    'window.onerror set before init(), whose result applies': async ({ open, sink, page }) => {
      await open({
        before: () => {
          self.calls = [];
          window.onerror = (...args) => {
            self.calls.push(['early', args.length, args[4]?.message]);
            return true;
          };
        },
        script: () => {
          addEventListener('error', (event) => {
            setTimeout(() => self.calls.push(['prevented', event.defaultPrevented]));
          });
          throw new Error('seen by all');
        },
      });
      await sink.reports(1);
      await page.flush();
      expect(sink.posts()).toHaveLength(1);
      expect(await page.run(() => self.calls)).toEqual([
        ['early', 5, 'seen by all'],
        ['prevented', true],
      ]);
    },

    'window.onerror set after init()': async ({ open, sink, page }) => {
      await open({
        script: () => {
          self.calls = [];
          window.onerror = (...args) => {
            self.calls.push(['late', args.length, args[4]?.message]);
          };
          throw new Error('seen by all');
        },
      });
      await sink.reports(1);
      await page.flush();
      expect(sink.posts()).toHaveLength(1);
      expect(await page.run(() => self.calls)).toEqual([['late', 5, 'seen by all']]);
    },

    'window.onunhandledrejection, before and after init()': async ({ open, sink, page }) => {
      await open({
        before: () => {
          self.calls = [];
          window.onunhandledrejection = ({ reason }) => self.calls.push(['early', reason.message]);
        },
        script: () => {
          const early = window.onunhandledrejection as (event: PromiseRejectionEvent) => void;
          window.onunhandledrejection = (event) => {
            early(event);
            self.calls.push(['late', event.reason.message]);
            event.preventDefault();
          };
          void Promise.reject(new Error('rejected'));
        },
      });
      await sink.reports(1);
      await page.flush();
      expect(sink.posts()).toHaveLength(1);
      expect(await page.run(() => self.calls)).toEqual([
        ['early', 'rejected'],
        ['late', 'rejected'],
      ]);
    },

    'listeners that stop the event, before and after init()': async ({ open, sink, page }) => {
      await open({
        before: () => {
          self.calls = [];
          const record = (event: ErrorEvent | PromiseRejectionEvent): void =>
            void self.calls.push(['early', event.type]);
          addEventListener('error', record);
          addEventListener('unhandledrejection', record);
        },
        script: () => {
          const stop = (event: ErrorEvent | PromiseRejectionEvent): void => {
            self.calls.push(['late', event.type]);
            event.stopImmediatePropagation();
            event.preventDefault();
          };
          addEventListener('error', stop, true);
          addEventListener('unhandledrejection', stop, true);
          void Promise.reject(new Error('rejected'));
          throw new Error('thrown');
        },
      });
      const messages = (await sink.reports(2)).map(({ message }) => message);
      await page.flush();
      expect(sink.posts()).toHaveLength(2);
      expect(messages.toSorted()).toEqual(['rejected', 'thrown']);
      // At its target, an event reaches the listeners in the order in which they were added.
      const calls = await page.run(() => self.calls);
      expect(calls).toContainEqual(['late', 'error']);
      expect(calls).toContainEqual(['late', 'unhandledrejection']);
    },
  },
};

export const closing: SdkPromise = {
  promise: 'close() restores every original; a patch that the page has wrapped becomes transparent',
  cases: {
    'without patches of the page': async ({ open, page }) => {
      await open({
        options: null,
        before: () => {
          window.onerror = () => true;
          self.originals = (): Record<string, unknown> => ({
            onerror: window.onerror,
            onunhandledrejection: window.onunhandledrejection,
            fetch,
            open: XMLHttpRequest.prototype.open,
            send: XMLHttpRequest.prototype.send,
            setRequestHeader: XMLHttpRequest.prototype.setRequestHeader,
            pushState: history.pushState,
            replaceState: history.replaceState,
            addEventListener,
            dispatchEvent,
            setTimeout,
            thenOfPromises: Promise.prototype.then,
            ...Object.fromEntries(
              (['debug', 'info', 'log', 'warn', 'error', 'assert', 'trace'] as const).map((key) => [
                `console.${key}`,
                console[key],
              ]),
            ),
          });
        },
      });
      const { changed, left, owned } = await page.run(
        (options) => {
          // The owner of a property counts too: an inherited property must not have become an own property.
          const ownKeys = (): string[] =>
            [self, history, console, XMLHttpRequest.prototype, Promise.prototype]
              .flatMap((owner) => Object.getOwnPropertyNames(owner))
              .filter((name) => name !== '__serviceSDK');
          const before = self.originals();
          const keys = ownKeys();
          ServiceSDK.init(options);
          const during = self.originals();
          ServiceSDK.close();
          const after = self.originals();
          return {
            changed: Object.keys(before).filter((key) => before[key] !== during[key]),
            left: Object.keys(before).filter((key) => before[key] !== after[key]),
            owned: ownKeys().filter((key) => !keys.includes(key)),
          };
        },
        { apiKey: 'pk_browsers', endpoint: 'http://127.0.0.1:9' },
      );
      for (const key of ['onerror', 'fetch', 'open', 'pushState', 'replaceState', 'console.log']) {
        expect(changed).toContain(key);
      }
      for (const key of ['addEventListener', 'setTimeout', 'thenOfPromises']) expect(changed).not.toContain(key);
      expect(left).toEqual([]);
      expect(owned).toEqual([]);
    },

    'with patches of the page': async ({ open, page, sink }) => {
      await open({
        script: () => {
          self.calls = [];
          const spy = <Name extends string>(owner: Record<Name, unknown>, name: Name): void => {
            const below = owner[name] as (...args: unknown[]) => unknown;
            owner[name] = function (this: unknown, ...args: unknown[]) {
              self.calls.push([name]);
              return below.apply(this, args);
            };
          };
          spy(self as never as Record<string, unknown>, 'fetch');
          spy(XMLHttpRequest.prototype as never as Record<string, unknown>, 'open');
          spy(history as never as Record<string, unknown>, 'pushState');
          spy(console as never as Record<string, unknown>, 'info');
          spy(window as never as Record<string, unknown>, 'onerror');
        },
      });
      const result = await page.run(async () => {
        const wrapped = [fetch, XMLHttpRequest.prototype.open, history.pushState, console.info, window.onerror];
        ServiceSDK.close();
        const kept = [fetch, XMLHttpRequest.prototype.open, history.pushState, console.info, window.onerror];
        const { status } = await fetch('script.js');
        const request = new XMLHttpRequest();
        request.open('GET', 'script.js');
        await new Promise((resolve) => {
          request.addEventListener('loadend', resolve);
          request.send();
        });
        history.pushState(null, '', '?after');
        console.info('after');
        await new Promise((resolve) => {
          addEventListener('error', resolve, { once: true });
          setTimeout(() => {
            throw new Error('after close()');
          });
        });
        const { search } = location;
        return { kept: kept.every((now, index) => now === wrapped[index]), status, xhr: request.status, search };
      });
      expect(result).toEqual({ kept: true, status: 200, xhr: 200, search: '?after' });
      expect(await page.run(() => self.calls.map(([name]) => name).toSorted())).toEqual([
        'fetch',
        'info',
        'onerror',
        'open',
        'pushState',
      ]);

      // In between, nothing was recorded or sent.
      await page.run((options) => {
        ServiceSDK.init(options);
        ServiceSDK.captureException(new Error('started again'));
      }, optionsFor(sink.endpoint));
      const reports = await sink.reports(1);
      expect(reports.map(({ message, breadcrumbs }) => ({ message, breadcrumbs: breadcrumbs ?? [] }))).toEqual([
        { message: 'started again', breadcrumbs: [] },
      ]);
    },
  },
};

export const patchedFunctions: SdkPromise = {
  promise: 'Patched functions keep name, length, toString(), this, results and exceptions',
  cases: {
    'functions of the browser and of the page': async ({ open, page }) => {
      await open({
        before: () => {
          function pageDebug(this: unknown, first: unknown, second: unknown): unknown {
            return [this === console, first, second];
          }
          console.debug = pageDebug;
          self.looks = () =>
            Object.fromEntries(
              Object.entries({
                fetch,
                pushState: history.pushState,
                replaceState: history.replaceState,
                log: console.log,
                debug: console.debug,
                open: XMLHttpRequest.prototype.open,
                send: XMLHttpRequest.prototype.send,
              }).map(([key, { name, length }]) => [key, { name, length }]),
            );
          self.looksBefore = self.looks();
        },
      });
      const results = await page.run(() => {
        const caught = (attempt: () => unknown): string => {
          try {
            return String(attempt());
          } catch (error) {
            return (error as Error).name;
          }
        };
        const natives: ((...args: never[]) => unknown)[] = [
          fetch,
          history.pushState,
          XMLHttpRequest.prototype.open,
          console.log,
        ];
        return {
          before: self.looksBefore,
          after: self.looks(),
          texts: natives.flatMap((native) => [native.toString(), Function.prototype.toString.call(native)]),
          debug: (console.debug as (...args: unknown[]) => unknown)(1, 2),
          // They still reject invalid calls.
          foreignThis: caught(() => history.pushState.call({} as History, null, '')),
          noUrl: caught(() => history.pushState(null, '', 'http://[')),
          noMethod: caught(() => new XMLHttpRequest().open('BAD METHOD', '/')),
          isPromise: fetch('script.js') instanceof Promise,
        };
      });
      expect(results.after).toEqual(results.before);
      for (const text of results.texts) expect(text).toMatch(/^function [^]*\[native code\]/);
      expect(results.debug).toEqual([true, 1, 2]);
      expect(results).toMatchObject({
        foreignThis: 'TypeError',
        noUrl: expect.stringMatching(/Error$/),
        isPromise: true,
      });
      expect(results.noMethod).toBe('SyntaxError');
    },
  },
};

const optionsFor = (endpoint: string): { apiKey: string; endpoint: string } => ({ apiKey: 'pk_browsers', endpoint });

declare global {
  var calls: unknown[][];
  var originals: () => Record<string, unknown>;
  var looks: () => Record<string, { name: string; length: number }>;
  var looksBefore: Record<string, { name: string; length: number }>;
}
