import { copy, cut } from './scrub.ts';

/** What can be told of a thrown value. */
export interface DescribedError {
  /**
   * Equal for errors that are the same: class, message and innermost calls. Other values are told by their identity,
   * for the text of `{}` is every object's.
   */
  key: unknown;
  /** What was thrown, without the event around it. */
  value: unknown;
  /** The error's class; undefined for what is no error. */
  type: string | undefined;
  message: string;
  /**
   * The title and the calls below it, innermost first, whatever the engine, then the same of the causes and of the
   * members of an AggregateError; undefined if there are no calls.
   */
  stacktrace: string | undefined;
}

/** What errors have, and events that tell of one. Nothing of it is certain, for anything can be thrown. */
type Thrown = Partial<Record<keyof ErrorEvent | keyof AggregateError | 'reason', unknown>> & { eventPhase?: number };

/** Describes whatever was thrown. An event stands for the error inside it. Never throws. */
export function describeError(thrown: unknown, above: unknown[] = []): DescribedError {
  let value = thrown as Thrown;
  let name,
    text,
    stack,
    inners: unknown[] = [],
    place: string | undefined;
  try {
    // Events of any realm have a phase.
    if (value.eventPhase! >= 0) {
      if (value.filename) place = `    at ${value.filename}:${value.lineno}:${value.colno}`;
      value = (value.error ?? value.message ?? value.reason) as Thrown;
    }
    ({ message: text, name, stack } = value);
    inners = [value.cause].concat(value.errors);
  } catch {
    // null, a revoked proxy or a getter that fails: what was read before has to do.
  }
  const type = typeof text === 'string' ? (typeof name === 'string' && name) || 'Error' : undefined;
  const told = type ? text : (copy(value) ?? value);
  // Browsers put `Uncaught` before what they tell window.onerror.
  const message =
    cut(typeof told === 'object' ? JSON.stringify(told) : String(told), 4_096).replace(
      /^uncaught (exception: )?/i,
      '',
    ) || 'Error';
  const title = type ? `${type}: ${message}` : message;
  // Chrome writes `Type: message` above the frames, as they were when the error was made; Firefox and WebKit do not.
  const calls = typeof stack === 'string' ? stack.replace(/^[^]*?\n(?= +at )/, '') : '';
  // A script that can't be read has no calls, but an event knows where.
  let stacktrace = /^ +at |@/m.test(calls) ? `${title}\n${calls}` : place && (type ? `${title}\n${place}` : place);

  above.push(value);
  // At most five causes, and a circle ends where it began.
  for (const thing of inners) {
    if (!thing || above.length > 5 || above.includes(thing)) continue;
    const inner = describeError(thing, above);
    stacktrace = `${stacktrace ?? title}\nCaused by: ${inner.stacktrace ?? inner.message}`;
  }
  const key = type ? (stacktrace ?? title) : value;
  return { key, value, type, message, stacktrace: stacktrace && cut(stacktrace, 8_192) };
}
