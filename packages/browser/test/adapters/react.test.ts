import { Component, createElement as h, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type * as Adapter from '../../src/react/index.ts';
import { loadPage, openPage, sent, onlyReport, throwUncaught, warnings } from '../page.ts';

let root: Root | undefined;

afterEach(() => {
  root?.unmount();
  root = undefined;
});

/** Imports the adapter of the current page, which shares the SDK's state. */
function adapter(): Promise<typeof Adapter> {
  return import('../../src/react/index.ts');
}

function show(tree: ReactNode, handlers?: Adapter.ReactErrorHandlers): HTMLElement {
  const element = document.body.appendChild(document.createElement('div'));
  root = createRoot(element, handlers);
  flushSync(() => root?.render(tree));
  return element;
}

function Basket({ thrown }: { thrown: unknown }): ReactNode {
  throw thrown;
}

describe('<ErrorBoundary>', () => {
  test('reports an error of its children with the component stack and renders the fallback', async () => {
    await openPage();
    const { ErrorBoundary } = await adapter();
    const Shop = () => h('main', null, h(Basket, { thrown: new TypeError('no price') }));
    const element = show(h(ErrorBoundary, { fallback: h('p', null, 'Sorry') }, h(Shop)));
    expect(element.innerHTML).toBe('<p>Sorry</p>');
    const report = await onlyReport();
    expect(report).toMatchObject({ type: 'TypeError', message: 'no price' });
    expect(report.metadata?.componentStack).toMatch(/^\s+at Basket\b[^]+\n\s+at main\b[^]*\n\s+at Shop\b/);
  });

  test.each(['NEXT_REDIRECT;replace;/login;307;', 'NEXT_HTTP_ERROR_FALLBACK;404'])(
    'leaves the error of redirect() and notFound() of Next.js, %s, to the boundaries above it',
    async (digest) => {
      await openPage();
      const { ErrorBoundary } = await adapter();
      class NextBoundary extends Component<{ children: ReactNode }> {
        static getDerivedStateFromError(error: unknown): object {
          return { error };
        }
        override state: { error?: unknown } = {};
        override render(): ReactNode {
          return this.state.error === thrown ? 'handled' : this.props.children;
        }
      }
      const thrown = Object.assign(new Error(digest), { digest });
      const basket = h(ErrorBoundary, { fallback: 'Sorry' }, h(Basket, { thrown }));
      expect(show(h(NextBoundary, null, basket)).textContent).toBe('handled');
      expect(await sent()).toEqual([]);
    },
  );

  test('renders the fallback for an error of a server component, which has another digest', async () => {
    await openPage();
    const { ErrorBoundary } = await adapter();
    const thrown = Object.assign(new Error('An error occurred in the Server Components render.'), { digest: '1842' });
    expect(show(h(ErrorBoundary, { fallback: 'Sorry' }, h(Basket, { thrown }))).textContent).toBe('Sorry');
    expect((await onlyReport()).metadata).toMatchObject({ error: { digest: '1842' } });
  });

  test('passes the fallback the error and a reset that renders the children again', async () => {
    await openPage();
    const { ErrorBoundary } = await adapter();
    let isBroken = true;
    const Fragile = () => {
      if (isBroken) throw new Error('empty');
      return 'one tea';
    };
    const fallback = (error: unknown, reset: () => void) => h('button', { onClick: reset }, String(error));
    const element = show(h(ErrorBoundary, { fallback }, h(Fragile)));
    expect(element.textContent).toBe('Error: empty');
    isBroken = false;
    element.querySelector('button')?.click();
    await expect.poll(() => element.textContent).toBe('one tea');
  });

  test('renders its children if none fails, and nothing if one fails and there is no fallback', async () => {
    await openPage();
    const { ErrorBoundary } = await adapter();
    expect(show(h(ErrorBoundary, null, h('i'), 'tea')).innerHTML).toBe('<i></i>tea');
    expect(show(h(ErrorBoundary, null, h(Basket, { thrown: new Error('x') }))).innerHTML).toBe('');
    expect(await sent()).toHaveLength(1);
  });

  test.each([[null], [undefined], ['plain words'], [0]])('reports and shows the thrown value %j', async (thrown) => {
    await openPage();
    const { ErrorBoundary } = await adapter();
    const fallback = (error: unknown) => `thrown: ${String(error)}`;
    expect(show(h(ErrorBoundary, { fallback }, h(Basket, { thrown }))).textContent).toBe(`thrown: ${thrown}`);
    expect(await onlyReport()).toMatchObject({ message: String(thrown) });
  });

  test('calls onError with each error', async () => {
    await openPage();
    const { ErrorBoundary } = await adapter();
    const onError = vi.fn<NonNullable<Adapter.ErrorBoundaryProps['onError']>>();
    const error = new Error('for onError');
    show(h(ErrorBoundary, { onError }, h(Basket, { thrown: error })));
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      error,
      expect.objectContaining({ componentStack: expect.stringContaining('Basket') }),
    );
  });

  test('renders its fallback if the SDK was not started', async () => {
    await loadPage();
    const { ErrorBoundary } = await adapter();
    const element = show(h(ErrorBoundary, { fallback: 'Sorry' }, h(Basket, { thrown: new Error('early') })));
    expect(element.textContent).toBe('Sorry');
    expect(await sent()).toEqual([]);
    expect(warnings()).toHaveLength(1);
  });
});

describe('reactErrorHandlers()', () => {
  test('reports an uncaught error once and passes it on to the page', async () => {
    await openPage();
    const { reactErrorHandlers } = await adapter();
    const reportError = vi.fn<(error: unknown) => void>((error) => throwUncaught(error));
    vi.stubGlobal('reportError', reportError);
    const error = new Error('uncaught');
    show(h(Basket, { thrown: error }), reactErrorHandlers());
    expect(reportError).toHaveBeenCalledExactlyOnceWith(error);
    const { message, metadata } = await onlyReport();
    expect(message).toBe('uncaught');
    expect(metadata).toEqual({ componentStack: expect.stringMatching(/^\s+at Basket\b/) });
  });

  test('reports once an error that a boundary caught', async () => {
    await openPage();
    const { ErrorBoundary, reactErrorHandlers } = await adapter();
    const error = new Error('caught');
    show(h(ErrorBoundary, null, h(Basket, { thrown: error })), reactErrorHandlers());
    expect(await onlyReport()).toMatchObject({
      message: 'caught',
      metadata: { componentStack: expect.stringContaining('Basket') },
    });
    expect(console.error).toHaveBeenCalledWith(error);
  });

  test('reports errors that React recovered from', async () => {
    await openPage();
    const { reactErrorHandlers } = await adapter();
    const element = document.body.appendChild(document.createElement('div'));
    element.innerHTML = '<p>as the server saw it</p>';
    flushSync(() => {
      root = hydrateRoot(element, h('p', null, 'as the browser sees it'), reactErrorHandlers());
    });
    await expect.poll(() => element.textContent).toBe('as the browser sees it');
    expect((await onlyReport()).message).toMatch(/^Hydration failed/);
  });

  test('does not affect events and errors outside React', async () => {
    await openPage();
    const { reactErrorHandlers } = await adapter();
    function Pay(): ReactNode {
      const [count, setCount] = useState(0);
      return h('button', { onClick: () => setCount(count + 1) }, count);
    }
    const element = show(h(Pay), reactErrorHandlers());
    element.querySelector('button')?.click();
    await expect.poll(() => element.textContent).toBe('1');
    throwUncaught(new Error('of the page'));
    expect(await onlyReport()).toMatchObject({ message: 'of the page' });
    expect(await onlyReport()).not.toHaveProperty('metadata');
  });
});
