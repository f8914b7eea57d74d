'use client';

import { captureException } from '@service/browser';
import { useEffect, useState } from 'react';

function fail() {
  throw new Error('throw fault');
}

export function Buttons() {
  const [isBroken, setBroken] = useState(false);
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  if (isBroken) throw new Error('render fault');
  // The buttons work once the page is hydrated.
  if (!isReady) return null;
  return (
    <>
      <button id="throw" onClick={fail}>
        Fail in an event handler
      </button>
      <button id="reject" onClick={() => void Promise.reject(new Error('reject fault'))}>
        Reject a promise
      </button>
      <button id="capture" onClick={() => captureException(new Error('capture fault'))}>
        Catch and report
      </button>
      <button id="render" onClick={() => setBroken(true)}>
        Fail in rendering
      </button>
    </>
  );
}
