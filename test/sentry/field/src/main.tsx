import * as Sentry from '@sentry/react';
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { checkout } from './cart';

const query = new URLSearchParams(location.search);
Sentry.init({
  dsn: query.get('dsn')!,
  tunnel: query.get('tunnel') ?? undefined,
  release: 'shop@1.0.0',
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1,
});
Object.assign(window, { Sentry });

function Total({ isBroken }: { isBroken: boolean }) {
  return createElement('p', null, isBroken ? checkout({}) : 0);
}

function App() {
  const [isBroken, setBroken] = useState(false);
  const button = (id: string, onClick: () => void) => createElement('button', { id, onClick }, id);
  return createElement(
    'main',
    null,
    button('throw', () => void checkout({})),
    button('render', () => setBroken(true)),
    button('capture', () => {
      try {
        checkout({});
      } catch (error) {
        Sentry.captureException(error);
      }
    }),
    button('one', () => void Sentry.captureException('one text')),
    button('other', () => void Sentry.captureException('other text')),
    createElement(
      Sentry.ErrorBoundary,
      { fallback: createElement('p', null, 'failed') },
      createElement(Total, { isBroken }),
    ),
  );
}

createRoot(document.getElementById('app')!).render(createElement(App));
