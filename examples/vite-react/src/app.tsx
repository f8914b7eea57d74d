import { ErrorBoundary } from '@service/browser/react';
import { useState } from 'react';
import { Basket } from './basket.tsx';
import { apiKey } from './start-sdk.ts';

export function App() {
  return (
    <>
      <h1>A tea shop of React</h1>
      <p>Each button is a bug. Press it, then look into the dashboard.</p>
      {!apiKey && (
        <p id="no-key">
          No project key: nothing is reported. Add <code>?key=pk_…</code> to this address; the demo prints one.
        </p>
      )}
      <ErrorBoundary
        fallback={(_, reset) => (
          <section role="alert">
            The basket is broken, the shop is not.
            <button id="reset" type="button" onClick={reset}>
              Take a new basket
            </button>
          </section>
        )}
      >
        <Basket />
      </ErrorBoundary>
      <button id="pay" type="button" onClick={pay}>
        Pay: an event handler throws
      </button>
      <Shop />
    </>
  );
}

function pay() {
  throw new Error('The card was declined');
}

/** Has no boundary, so React removes the whole page when it throws. */
function Shop() {
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) throw new Error('The shop is closed');
  return (
    <button id="close" type="button" onClick={() => setOpen(false)}>
      Close the shop: a component throws that has no boundary
    </button>
  );
}
