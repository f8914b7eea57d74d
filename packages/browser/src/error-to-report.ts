/** The fields of a report that describe the error. */
export interface ErrorFields {
  /** The error's class; absent if the thrown value is not an error. */
  type?: string | undefined;
  message: string;
  /**
   * `Type: message` and the frames below it, innermost first, in the format of the engine. The same follows for each
   * cause and each member of an AggregateError. Absent for a value that is not an error, unless an event gave a location.
   */
  stacktrace?: string | undefined;
}

/** A thrown value or an error event. Every property is uncertain, because any value can be thrown. */
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
 * Converts a thrown value into the fields of a report. `shorten` makes a value that is not an error small enough for
 * JSON. `frames` replace a missing stack. `message` is the message at the time of the throw, if it was read then.
 * Never throws.
 */
export function errorToReport(
  thrown: Thrown,
  shorten: (value: unknown) => unknown,
  frames: unknown,
  message?: { trim?: unknown },
): ErrorFields {
  // Grows during the loop by at most five causes. A Set ends a cycle.
  const errors = new Set([thrown]);
  let fields: ErrorFields | undefined;
  for (const error of errors) {
    let type;
    let text = '';
    try {
      // Only strings have `trim`.
      if ((message ??= error?.message)?.trim) {
        text = message + '';
        type = 'Error';
        if (error.name) type = error.name + '';
        // Chrome writes `Type: message` above the frames, as of the creation of the error; Firefox and WebKit do not.
        frames = (error.stack + '').replace(/^[^]*?\n(?= +at )|^[^@]*$/, '') || frames;
      } else text = typeof error === 'object' ? JSON.stringify(shorten(error)) : String(error);
      [error.cause].concat(error.errors).forEach((inner) => inner && errors.size < 6 && errors.add(inner as Thrown));
    } catch {
      // A getter threw. The fields that were read before are reported.
    }
    // Browsers put `Uncaught` before the message of an event.
    const title = text.slice(0, 5_000).replace(/^uncaught (ex\w+: )?/i, '') || 'Error';
    const section = (type ? type + ': ' + title : title) + (frames ? '\n' + frames : '');
    if (fields) fields.stacktrace = `${fields.stacktrace ?? ''}\nCaused by: ${section}`;
    else fields = { type, message: title, stacktrace: (type ? section : frames) as string | undefined };
    message = frames = undefined;
  }
  return fields!;
}
