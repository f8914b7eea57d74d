import { buildModule } from '../measure/build-module.mjs';

/** What our SDK makes of a thrown value or its event: its own code does it. */
const { errorToReport } = await buildModule('browser/src/error-to-report.ts');
const { unwrapEvent } = await buildModule('browser/src/unwrap-event.ts');

/**
 * The report that our SDK would have sent. What the corpus knows of the bug stays here, but for the id by which the
 * answer is found again.
 *
 * @param {import('./corpus.mjs').CapturedError} captured
 */
export function tell(captured) {
  const { id, release, url, user_agent } = captured;
  const [thrown, place] = unwrapEvent(eventOf(captured));
  const { type, message, stacktrace } = errorToReport(thrown, (value) => value, place);
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
    // Told by another text than its JSON.
    return message;
  }
}
