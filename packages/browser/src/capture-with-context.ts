import type { ScopeFields } from './report.ts';
import { capture } from './capture.ts';
import type { Client } from './client.ts';
import { applyContext, type CaptureContext } from './scope.ts';

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
