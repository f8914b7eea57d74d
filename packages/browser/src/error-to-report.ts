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
   * cause and each member of an AggregateError. Empty for a value that is not an error, unless an event gave a location.
   */
  stacktrace: string;
}

/** Returns a text for a thrown value that is not an error. */
export type DescribeValue = (value: unknown) => string;

/** Converts a thrown value into the fields of a report. Follows causes. Never throws. */
export function errorToReport(value: unknown, location?: string, describeValue?: DescribeValue): ErrorFields {
  const fields = describe(value, location, describeValue);
  const errors = new Set([value]);
  // The loop also visits what it adds. The Set ends a cycle.
  for (const error of errors) {
    if (error !== value) {
      const { message, stacktrace } = describe(error, undefined, describeValue);
      fields.stacktrace += `\nCaused by: ${stacktrace || message}`;
    }
    for (const inner of [readProperty(error, 'cause'), ...membersOf(error)]) {
      if (inner && errors.size < maxErrors) errors.add(inner);
    }
  }
  return fields;
}

function describe(value: unknown, location = '', describeValue: DescribeValue = String): ErrorFields {
  const ownMessage = readProperty(value, 'message');
  const isError = typeof ownMessage === 'string';
  const text = isError ? ownMessage : attempt(() => describeValue(value));
  // Browsers put `Uncaught` before the message of an event. The cut may leave half a surrogate pair at the end.
  const message = text?.slice(0, maxMessageLength).replace(/^uncaught (ex\w+: )?|[\ud800-\udbff]$/gi, '') || 'Error';
  if (!isError) return { message, stacktrace: location };
  const type = readText(value, 'name') || 'Error';
  // Chrome writes `Type: message` above the frames, as of the creation of the error; Firefox and WebKit do not.
  const frames = readText(value, 'stack').replace(/^[^]*?\n(?= +at )|^[^@]*$/, '') || location;
  return { type, message, stacktrace: `${type}: ${message}${frames && `\n${frames}`}` };
}

/** Returns the members of an AggregateError. */
function membersOf(error: unknown): unknown[] {
  const members = readProperty(error, 'errors');
  return attempt(() => (Array.isArray(members) ? members.slice(0, maxErrors) : [])) ?? [];
}
