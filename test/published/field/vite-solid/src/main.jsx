import './start.js';
import { captureException } from '@service/browser';
import { reportingFallback } from '@service/browser/solid';
import { createEffect, createSignal, ErrorBoundary } from 'solid-js';
import { render } from 'solid-js/web';

function Delivery(props) {
  createEffect(() => {
    if (props.isLate) throw new Error('effect fault');
  });
  return <p>tomorrow</p>;
}

function App() {
  const [isBroken, setBroken] = createSignal(false);
  const [isLate, setLate] = createSignal(false);
  const total = () => {
    if (isBroken()) throw new Error('render fault');
    return 3;
  };
  const fail = () => {
    throw new Error('throw fault');
  };
  return (
    <>
      <button id="throw" onClick={fail}>
        throw
      </button>
      <button id="reject" onClick={() => void Promise.reject(new Error('reject fault'))}>
        reject
      </button>
      <button id="capture" onClick={() => captureException(new Error('capture fault'))}>
        capture
      </button>
      <button id="effect" onClick={() => setLate(true)}>
        effect
      </button>
      <button id="render" onClick={() => setBroken(true)}>
        render
      </button>
      <ErrorBoundary
        fallback={reportingFallback(() => (
          <p>Sorry</p>
        ))}
      >
        <p>{total()}</p>
      </ErrorBoundary>
      <ErrorBoundary
        fallback={reportingFallback(() => (
          <p>Sorry</p>
        ))}
      >
        <Delivery isLate={isLate()} />
      </ErrorBoundary>
    </>
  );
}

render(() => <App />, document.querySelector('#root'));
