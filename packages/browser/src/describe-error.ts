/** What can be told of a thrown value. */
export interface DescribedError {
  /** The error's class; absent for what is no error. */
  type?: string | undefined;
  message: string;
  /**
   * The title and the calls below it, innermost first, whatever the engine; then the same of its causes and of the
   * members of an AggregateError. Absent for what is no error, unless an event tells its place.
   */
  stacktrace?: string | undefined;
}

/** What errors have, and events that tell of one. Nothing of it is certain, for anything can be thrown. */
export interface Thrown extends Pick<ErrorEvent, 'eventPhase' | 'filename' | 'lineno' | 'colno'> {
  message: string;
  name: string | undefined;
  stack: string;
  cause: unknown;
  errors: unknown;
  error: Thrown | undefined;
  reason: Thrown;
}

/**
 * What was thrown, of an event the error inside it; what is the same of two errors that are: their words and calls, or
 * the value itself if it is no error; and the place that an event tells, for what has no calls. Never throws.
 */
export function readThrown(thrown: Thrown): [value: Thrown, place: string | undefined, same: unknown] {
  let same: unknown;
  let place: string | undefined;
  try {
    // Events of any realm have a phase.
    if (thrown.eventPhase >= 0) {
      if (thrown.lineno) place = `    at ${thrown.filename}:${thrown.lineno}:${thrown.colno}`;
      thrown = thrown.error ?? (thrown.message as unknown as Thrown) ?? thrown.reason;
    }
    // Firefox and WebKit leave type and message out of the stack.
    same = thrown.stack && `${thrown}${thrown.stack}`;
  } catch {
    // null, or a revoked proxy, has nothing.
  }
  return [thrown, place, same || thrown];
}

/**
 * Describes whatever was thrown. `limit` makes what is no error small enough to be written as JSON; `frames` count where
 * an error tells none. Never throws.
 */
export function describeError(thrown: Thrown, limit: (value: unknown) => unknown, frames: unknown): DescribedError {
  // Grows while it is read: at most five more, and a circle ends where it began.
  const errors = new Set([thrown]);
  let head: DescribedError | undefined;
  for (const error of errors) {
    let type;
    let text = '';
    try {
      // Texts have it.
      if ((error?.message as { trim?: unknown } | undefined)?.trim) {
        text = error.message + '';
        type = 'Error';
        if (error.name) type = error.name + '';
        // Chrome writes `Type: message` above the frames, as they were when the error was made; Firefox and WebKit do not.
        frames = (error.stack + '').replace(/^[^]*?\n(?= +at )|^[^@]*$/, '') || frames;
      } else text = typeof error === 'object' ? JSON.stringify(limit(error)) : String(error);
      [error.cause].concat(error.errors).forEach((inner) => inner && errors.size < 6 && errors.add(inner as Thrown));
    } catch {
      // A getter that fails: what was read before has to do.
    }
    // Browsers put `Uncaught` before what they tell of an error.
    const message = `${text}`.slice(0, 5_000).replace(/^uncaught (ex\w+: )?/i, '') || 'Error';
    const section = (type ? type + ': ' + message : message) + (frames ? '\n' + frames : '');
    if (head) head.stacktrace = `${head.stacktrace ?? ''}\nCaused by: ${section}`;
    else head = { type, message, stacktrace: (type ? section : frames) as string | undefined };
    frames = undefined;
  }
  return head!;
}
