import type { ComponentChildren } from 'preact';
import type { Load } from '../api/use-load.ts';
import { explain, Refusal } from '../api/call.ts';

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

export function Waiting() {
  return (
    <div class="waiting" role="status" aria-label="Loading">
      <span />
      <span />
      <span />
    </div>
  );
}

export function Failed({ error, again }: { error: Error; again(): void }) {
  if (error instanceof Refusal && error.status === 404) return <Nothing />;
  return (
    <div class="failed" role="alert">
      {explain(error)}
      <button onClick={again}>Try again</button>
    </div>
  );
}

/** The address leads nowhere. */
export function Nothing() {
  return (
    <Empty title="">
      <h1 tabIndex={-1}>There is nothing here</h1>
      <p>It was deleted, or the address is mistyped.</p>
      <a href="/">All errors</a>
    </Empty>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      {title && <h2>{title}</h2>}
      {children}
    </div>
  );
}
