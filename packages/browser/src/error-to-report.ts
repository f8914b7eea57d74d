import { attempt } from './attempt.ts';
import { readProperty, readText } from './read-property.ts';

const maxMessageLength = 5_000;
/** The error itself, its causes and the members of an AggregateError. */
const maxErrors = 6;

/** What pages may change after an error was thrown. */
export interface ErrorHead {
  /** The error's class; absent if the thrown value is not an error. */
  type?: string | undefined;
  message: string;
}

/** The fields of a report that describe the error. */
export interface ErrorFields extends ErrorHead {
  /**
   * `Type: message` and the frames below it, innermost first, in the format of the engine. The same follows for each
   * cause and each member of an AggregateError. Absent for a value that is not an error, unless an event gave a
   * location.
   */
  stacktrace?: string | undefined;
}

/** Returns a text for a thrown value that is not an error. */
export type DescribeValue = (value: unknown) => string;

/** Reads the class and the message of a thrown value, as the page set them. Never throws. */
export function readHead(value: unknown, describeValue: DescribeValue): ErrorHead {
  const message = readProperty(value, 'message');
  if (typeof message === 'string') return { type: readText(value, 'name') || 'Error', message };
  return { message: attempt(() => describeValue(value)) ?? '' };
}

/**
 * Converts a thrown value into the fields of a report. Follows causes. `location` replaces a missing stack; `head` was
 * read when the value was thrown. Never throws.
 */
export function errorToReport(
  value: unknown,
  location: string | undefined,
  describeValue: DescribeValue,
  head: ErrorHead,
): ErrorFields {
  const fields = describe(value, head, location);
  const errors = new Set([value]);
  // A cause whose getter throws ends the walk.
  attempt(() => {
    // The loop also visits what it adds. The Set ends a cycle.
    for (const error of errors) {
      if (error !== value) {
        const { message, stacktrace } = describe(error, readHead(error, describeValue));
        fields.stacktrace += `\nCaused by: ${stacktrace ?? message}`;
      }
      const { cause, errors: members }: Partial<AggregateError> = Object(error);
      for (const inner of [cause, ...(Array.isArray(members) ? members.slice(0, maxErrors) : [])]) {
        if (inner && errors.size < maxErrors) errors.add(inner);
      }
    }
  });
  return fields;
}

function describe(value: unknown, { type, message: original }: ErrorHead, location?: string): ErrorFields {
  // Browsers put `Uncaught` before the message of an event. The cut may leave half a surrogate pair at the end.
  const message = original.slice(0, maxMessageLength).replace(/^uncaught (ex\w+: )?|[\ud800-\udbff]$/gi, '') || 'Error';
  if (!type) return { message, stacktrace: location };
  // Chrome writes `Type: message` above the frames, as of the creation of the error; Firefox and WebKit do not.
  const frames = readText(value, 'stack').replace(/^[^]*?\n(?= +at )|^[^@]*$/, '') || location;
  return { type, message, stacktrace: `${type}: ${message}${frames ? `\n${frames}` : ''}` };
}
