import { copy, cut } from './scrub.ts';

/** What can be told of a thrown value. */
export interface DescribedError {
  /**
   * Equal for errors that are the same: class, message and innermost calls. Other values are told by their identity,
   * for the text of `{}` is every object's.
   */
  key: unknown;
  /** The error's class; undefined for what is no error. */
  type: string | undefined;
  message: string;
  /** The title and the calls below it, innermost first, whatever the engine, then the causes; undefined if there are neither. */
  stacktrace: string | undefined;
}

/** What errors have, and events that tell of one. Nothing of it is certain, for anything can be thrown. */
type Thrown = Partial<Record<keyof ErrorEvent | keyof Error | 'reason', unknown>> & { eventPhase?: number };

/** Describes whatever was thrown. An event stands for the error inside it. Never throws. */
export function describeError(thrown: unknown, above: unknown[] = []): DescribedError {
  let value = thrown as Thrown;
  let name, text, stack, cause, place: string | undefined;
  try {
    // Events of any realm have a phase.
    if (value.eventPhase! >= 0) {
      if (value.filename) place = `    at ${value.filename}:${value.lineno}:${value.colno}`;
      value = (value.error ?? value.message ?? value.reason) as Thrown;
    }
    ({ message: text, name, stack, cause } = value);
  } catch {
    // null, a revoked proxy or a getter that fails: what was read before has to do.
  }
  const type = typeof text === 'string' ? (typeof name === 'string' && name) || 'Error' : undefined;
  const told = type ? text : (copy(value) ?? value);
  // Browsers put `Uncaught` before what they tell window.onerror.
  const message =
    cut(typeof told === 'object' ? JSON.stringify(told) : String(told), 4_096).replace(/^uncaught /i, '') || 'Error';
  const title = type ? `${type}: ${message}` : message;
  // Chrome writes `Type: message` above the frames, as they were when the error was made; Firefox and WebKit do not.
  let stacktrace = typeof stack === 'string' ? `${title}\n${stack.replace(/^[^]*?\n(?= +at )/, '')}` : place;

  above.push(value);
  // At most five causes, and a circle ends where it began.
  if (cause && above.length < 6 && !above.includes(cause)) {
    const inner = describeError(cause, above);
    stacktrace = `${stacktrace ?? title}\nCaused by: ${inner.stacktrace ?? inner.message}`;
  }
  return { key: type ? (stacktrace ?? title) : value, type, message, stacktrace: stacktrace && cut(stacktrace, 8_192) };
}
