import { buildModule } from '../measure/build-module.mjs';

/** The SDK's own code converts a thrown value or its event. */
const { errorToReport, readHead } = await buildModule('browser/src/error-to-report.ts');
const { describeValue } = await buildModule('browser/src/describe-value.ts');
const { unwrapEvent } = await buildModule('browser/src/unwrap-event.ts');

/**
 * Returns the report that our SDK would have sent, without breadcrumbs and other context. It contains no ground truth,
 * only the id, by which the result is found again.
 *
 * @param {import('./corpus.mjs').CapturedError} captured
 */
export function createSdkReport(captured) {
  const { id, release, url, user_agent } = captured;
  const { value, frame } = unwrapEvent(eventOf(captured));
  const head = readHead(value, describeValue);
  const { type, message, stacktrace } = errorToReport(value, frame, describeValue, head);
  return { type, message, stacktrace, release, url, user_agent, metadata: { captured: id } };
}

/** @param {import('./corpus.mjs').CapturedError} captured */
function eventOf(captured) {
  const eventPhase = 2;
  if (captured.mechanism === 'unhandledrejection') return { eventPhase, reason: thrownOf(captured) };
  const { event_message, message, filename, lineno, colno } = captured;
  return { eventPhase, message: event_message ?? message, filename, lineno, colno, error: thrownOf(captured) };
}

/** @param {import('./corpus.mjs').CapturedError} captured */
function thrownOf({ value_type, name, message, stack, cause, errors }) {
  if (value_type === 'error') return { name, message, stack, cause, errors };
  if (value_type === 'undefined') return undefined;
  if (value_type === 'null') return null;
  if (value_type !== 'object') return message;
  try {
    return JSON.parse(message);
  } catch {
    // The corpus has a text other than the value's JSON.
    return message;
  }
}
