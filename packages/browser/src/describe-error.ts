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
 * Describes whatever was thrown. `limit` makes what is no error small enough to be written as JSON; `frames` count where
 * an error tells none; `words` are the message as it was when it was thrown, if it has been read. Never throws.
 */
export function describeError(
  thrown: Thrown,
  limit: (value: unknown) => unknown,
  frames: unknown,
  words?: { trim?: unknown },
): DescribedError {
  // Grows while it is read: at most five more, and a circle ends where it began.
  const errors = new Set([thrown]);
  let head: DescribedError | undefined;
  for (const error of errors) {
    let type;
    let text = '';
    try {
      // Texts have it.
      if ((words ??= error?.message)?.trim) {
        text = words + '';
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
    const message = text.slice(0, 5_000).replace(/^uncaught (ex\w+: )?/i, '') || 'Error';
    const section = (type ? type + ': ' + message : message) + (frames ? '\n' + frames : '');
    if (head) head.stacktrace = `${head.stacktrace ?? ''}\nCaused by: ${section}`;
    else head = { type, message, stacktrace: (type ? section : frames) as string | undefined };
    words = frames = undefined;
  }
  return head!;
}
