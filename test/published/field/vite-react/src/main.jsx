import './start.js';
import { captureException } from '@service/browser';
import { ErrorBoundary, reactErrorHandlers } from '@service/browser/react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

function Basket({ isBroken }) {
  if (isBroken) throw new Error('render fault');
  return <p>tea</p>;
}

function Delivery({ isLate }) {
  useEffect(() => {
    if (isLate) throw new Error('effect fault');
  }, [isLate]);
  return <p>tomorrow</p>;
}

function App() {
  const [isBroken, setBroken] = useState(false);
  const [isLate, setLate] = useState(false);
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
      <button id="effect" onClick={() => setLate(true)} />
      <button id="render" onClick={() => setBroken(true)} />
      <ErrorBoundary fallback={<p>Sorry</p>}>
        <Delivery isLate={isLate} />
      </ErrorBoundary>
      <ErrorBoundary fallback={<p>Sorry</p>}>
        <Basket isBroken={isBroken} />
      </ErrorBoundary>
    </>
  );
}

createRoot(document.querySelector('#root'), reactErrorHandlers()).render(<App />);
