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
 * Describes whatever was thrown, after the value itself: an event stands for the error inside it. `limit` makes what is
 * no error small enough to be written as JSON. Never throws.
 */
export function describeError(
  thrown: Thrown,
  limit: (value: unknown) => unknown,
): [value: unknown, described: DescribedError] {
  let place = '';
  try {
    // Events of any realm have a phase.
    if (thrown.eventPhase >= 0) {
      // A script that can't be read has no calls, but an event knows where.
      if (thrown.lineno) place = `    at ${thrown.filename}:${thrown.lineno}:${thrown.colno}`;
      thrown = thrown.error ?? (thrown.message as unknown as Thrown) ?? thrown.reason;
    }
  } catch {
    // null, or a revoked proxy, is no event.
  }

  // Grows while it is read: at most five more, and a circle ends where it began.
  const errors = new Set([thrown]);
  const sections: string[] = [];
  let head: DescribedError | undefined;
  for (const error of errors) {
    let type;
    let frames = place;
    let text: string = typeof error;
    try {
      if (typeof Object(error).message === 'string') {
        text = error.message;
        type = 'Error';
        if (error.name?.length) type = error.name + '';
        // Chrome writes `Type: message` above the frames, as they were when the error was made; Firefox and WebKit do not.
        if (/^ +at |@/m.test(error.stack)) frames = error.stack.replace(/^[^]*?\n(?= +at )/, '');
      } else text = typeof error === 'object' ? JSON.stringify(limit(error)) : String(error);
      [error.cause].concat(error.errors).forEach((inner) => inner && errors.size < 6 && errors.add(inner as Thrown));
    } catch {
      // A getter that fails: what was read before has to do.
    }
    // Browsers put `Uncaught` before what they tell of an error.
    const message =
      String(text)
        .slice(0, 5_000)
        .replace(/^uncaught (exception: )?/i, '') || 'Error';
    sections.push(type || head ? `${type ? `${type}: ` : ''}${message}${frames && `\n${frames}`}` : frames);
    head ??= { type, message };
    place = '';
  }
  head!.stacktrace = sections.join('\nCaused by: ') || undefined;
  return [thrown, head!];
}
