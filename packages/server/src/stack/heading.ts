/** The error class and message in the first line of a trace. */
export interface Heading {
  type: string | null;
  message: string | null;
}

const uncaught = /^(?:uncaught (?:exception: )?(?:\(in promise\):? ?)?|unhandled (?:promise )?rejection:? )/i;
const typedHeading = /^([\p{L}_$][\p{L}\p{N}_$.]{0,199})(?::(?:\s|$)|$)/u;
const errorName = /(?:Error|Exception|Failure|Rejection)$/;

/**
 * Splits `Uncaught (in promise) TypeError: x is not a function` into class and message. Engines begin a trace with the
 * name of the error, and any word can be a name, so `Oops: no` has the type `Oops` here. `readMessage` is stricter.
 */
export function readHeading(text: string): Heading {
  const heading = withoutUncaught(text);
  const type = typedHeading.exec(heading)?.[1] ?? null;
  // A single word may be a thrown string. It counts as a class only if it looks like the name of an error.
  if (type === null || (type.length === heading.length && !errorName.test(type))) {
    return { type: null, message: heading === '' ? null : heading };
  }
  const message = heading.slice(type.length + 1).trim();
  return { type, message: message === '' ? null : message };
}

/**
 * Works like `readHeading` on text that people wrote: `Warning: disk full` has no type, `RangeError: too big` has one.
 */
export function readMessage(text: string): Heading {
  const heading = readHeading(text);
  if (heading.type !== null && errorName.test(heading.type)) return heading;
  const message = withoutUncaught(text);
  return { type: null, message: message === '' ? null : message };
}

function withoutUncaught(text: string): string {
  const trimmed = text.trim();
  return trimmed[0] === 'u' || trimmed[0] === 'U' ? trimmed.replace(uncaught, '') : trimmed;
}
