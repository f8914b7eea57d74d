import type { ComponentChildren } from 'preact';
import { isNotFound, errorMessage } from '../api/api-error.ts';
import type { Load } from '../api/use-load.ts';

interface LoadedProps<Value> {
  load: Load<Value>;
  children: (value: Value) => ComponentChildren;
}

/**
 * Shows loaded data, or a placeholder while it loads. After a failure, shows the error with a button that retries;
 * after a 404, "Page not found".
 */
export function Loaded<Value>({ load: { value, error, reload }, children }: LoadedProps<Value>) {
  return (
    <>
      {error ? <LoadError error={error} retry={reload} /> : value === undefined && <Loading />}
      {value !== undefined && children(value)}
    </>
  );
}

export const Loading = () => (
  <div class="waiting" role="status" aria-label="Loading">
    <span />
    <span />
    <span />
  </div>
);

export function LoadError({ error, retry }: { error: Error; retry(): void }) {
  if (isNotFound(error)) return <NotFound />;
  return (
    <div class="failed" role="alert">
      {errorMessage(error)}
      <button onClick={retry}>Try again</button>
    </div>
  );
}

export const NotFound = () => (
  <div class="empty">
    <h1 tabIndex={-1}>Page not found</h1>
    <p>It was deleted, or the address is wrong.</p>
    <a href="/">View all errors</a>
  </div>
);
