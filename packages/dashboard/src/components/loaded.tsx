import type { ComponentChildren } from 'preact';
import type { Load } from '../api/use-load.ts';
import { explain, Refusal } from '../api/call.ts';
import { Prose } from './prose.tsx';

/** What has been loaded; before that a place for it, and after a failure why, with another try. */
export function Loaded<Value>({ of, children }: { of: Load<Value>; children: (value: Value) => ComponentChildren }) {
  const { value, error, reload } = of;
  return (
    <>
      {error ? <Failed error={error} again={reload} /> : value === undefined && <Waiting />}
      {value !== undefined && children(value)}
    </>
  );
}

export const Waiting = () => <Prose id="waiting" />;

function Failed({ error, again }: { error: Error; again(): void }) {
  if (error instanceof Refusal && error.status === 404) return <Nothing />;
  return (
    <div class="failed" role="alert">
      {explain(error)}
      <button onClick={again}>Try again</button>
    </div>
  );
}

/** The address leads nowhere. */
export const Nothing = () => <Prose id="nothing" />;
