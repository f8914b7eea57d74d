import type { ScopeFields } from './report.ts';
import { capture } from './capture.ts';
import type { Client } from './client.ts';
import { applyContext, scopeOf, type CaptureContext, type Scope } from './scope.ts';

/** Captures a value with a context. Returns the id of the report, or undefined if nothing can be sent. */
export function captureWithContext(
  client: Client,
  thrown: unknown,
  context: CaptureContext | null | undefined,
  defaults?: ScopeFields,
): string | undefined {
  if (!context && !defaults) return capture(client, thrown);
  const fields: ScopeFields = { ...client.scope, ...defaults };
  if (context) applyContext(client, fields, context);
  return capture(client, thrown, fields);
}

/** Calls `run` with a separate scope, which ends when `run` returns. Without a client, the scope has no effect. */
export function runWithScope<Result>(client: Client | undefined, run: (scope: Scope) => Result): Result {
  if (!client) return run(scopeOf(client, {}));
  const outer = client.scope;
  client.scope = { ...outer };
  try {
    return run(scopeOf(client, client.scope));
  } finally {
    client.scope = outer;
  }
}
