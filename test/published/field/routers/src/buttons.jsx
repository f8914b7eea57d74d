import { captureException } from '@service/browser';
import { useState } from 'react';

/** `open` shows a route of the router whose loader fails. */
export function Buttons({ open }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) throw new Error('render fault');
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
      <button id="load" onClick={open} />
    </>
  );
}

export function failingLoader() {
  throw new Error('load fault');
}
