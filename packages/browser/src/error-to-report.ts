import { attempt, readProperty, readText } from './guard.ts';

const maxMessageLength = 5_000;
/** The error itself, its causes and the members of an AggregateError. */
const maxErrors = 6;

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

/** Returns a text for a thrown value that is not an error. */
export type DescribeValue = (value: unknown) => string;

/** Returns whether a value has the form of an error. An error of another realm is no instance of Error. */
export function isError(value: unknown): boolean {
  return typeof readProperty(value, 'message') === 'string';
}

/** Returns the message of a thrown value, or a text that describes it. Never throws. */
export function messageOf(value: unknown, describeValue: DescribeValue): string {
  const text = isError(value) ? readText(value, 'message') : attempt(() => describeValue(value));
  // Browsers put `Uncaught` before the message of an event. The cut may leave half a surrogate pair at the end.
  return text?.slice(0, maxMessageLength).replace(/^uncaught (ex\w+: )?|[\ud800-\udbff]$/gi, '') || 'Error';
}

/**
 * Converts a thrown value into the fields of a report. `message` is its message when it was thrown; `location` replaces a
 * missing stack. Follows causes. Never throws.
 */
export function errorToReport(
  value: unknown,
  message: string,
  location: string | undefined,
  describeValue: DescribeValue,
): ErrorFields {
  const fields = describe(value, message, location);
  const errors = new Set([value]);
  attempt(() => {
    // The loop also visits what it adds. The Set ends a cycle.
    for (const error of errors) {
      if (error !== value) {
        const text = messageOf(error, describeValue);
        fields.stacktrace += `\nCaused by: ${describe(error, text).stacktrace ?? text}`;
      }
      const { cause, errors: members }: Partial<AggregateError> = Object(error);
      for (const inner of [cause, ...(Array.isArray(members) ? members.slice(0, maxErrors) : [])]) {
        if (inner && errors.size < maxErrors) errors.add(inner);
      }
    }
  });
  return fields;
}

/** Describes an error without its causes. The location replaces a missing stack. */
function describe(value: unknown, message: string, location?: string): ErrorFields {
  if (!isError(value)) return { message, stacktrace: location };
  const type = readText(value, 'name') || 'Error';
  // Chrome writes `Type: message` above the frames, as of the creation of the error; Firefox and WebKit do not.
  const frames = readText(value, 'stack').replace(/^[^]*?\n(?= +at )|^[^@]*$/, '') || location;
  return { type, message, stacktrace: `${type}: ${message}${frames ? `\n${frames}` : ''}` };
}
