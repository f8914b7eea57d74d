'use client';

import { captureException } from '@service/browser';
import { useEffect, useState } from 'react';

export function Buttons() {
  const [isBroken, setBroken] = useState(false);
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  if (isBroken) throw new Error('render fault');
  // The buttons work once the page is hydrated.
  if (!isReady) return null;
  return (
    <>
      <button
        id="throw"
        onClick={() => {
          throw new Error('throw fault');
        }}
      />
      <button id="reject" onClick={() => void Promise.reject(new Error('reject fault'))} />
      <button id="capture" onClick={() => captureException(new Error('capture fault'))} />
      <button id="render" onClick={() => setBroken(true)} />
    </>
  );
}
