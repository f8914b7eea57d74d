import type { ComponentChildren } from 'preact';
import type { Load } from '../api/use-load.ts';
import { explain, Refusal } from '../api/call.ts';

/** What has been loaded; before that a place for it, and after a failure why, with another try. */
export function Loaded<Value>({ of, children }: { of: Load<Value>; children: (value: Value) => ComponentChildren }) {
  const { value, error, reload } = of;
  if (value === undefined) return error ? <Failed error={error} again={reload} /> : <Waiting />;
  return (
    <>
      {error && <Failed error={error} again={reload} />}
      {children(value)}
    </>
  );
}

export function Waiting({ lines = 3 }: { lines?: number }) {
  return (
    <div class="waiting" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

export function Failed({ error, again }: { error: Error; again(): void }) {
  if (error instanceof Refusal && error.status === 404) {
    return (
      <Empty title="There is nothing here">
        <p>It has been deleted, or the address is mistyped.</p>
        <p>
          <a href="/">All errors</a>
        </p>
      </Empty>
    );
  }
  return (
    <div class="failed" role="alert">
      <p>{explain(error)}</p>
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
