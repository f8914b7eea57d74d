/** What went wrong, in the words of the first line of a trace. */
export interface Heading {
  type: string | null;
  message: string | null;
}

const uncaught = /^(?:uncaught (?:exception: )?(?:\(in promise\):? ?)?|unhandled (?:promise )?rejection:? )/i;
const typed = /^([\p{L}_$][\p{L}\p{N}_$.]{0,199})(?::(?:\s|$)|$)/u;
const errorName = /(?:Error|Exception|Failure|Rejection)$/;

/**
 * Reads `Uncaught (in promise) TypeError: x is not a function` into class and message. Engines begin a trace with the
 * error's name whatever it is, so `Oops: no` has the type `Oops` here; `readMessage` is stricter.
 */
export function readHeading(text: string): Heading {
  const said = withoutUncaught(text);
  const type = typed.exec(said)?.[1] ?? null;
  // A lone word is a thrown string as often as a class: only the names of errors are taken for one.
  if (type === null || (type.length === said.length && !errorName.test(type))) {
    return { type: null, message: said === '' ? null : said };
  }
  const message = said.slice(type.length + 1).trim();
  return { type, message: message === '' ? null : message };
}

/** As `readHeading`, for text that people wrote: `Warning: disk full` has no type, `RangeError: too big` has one. */
export function readMessage(text: string): Heading {
  const heading = readHeading(text);
  if (heading.type !== null && errorName.test(heading.type)) return heading;
  const said = withoutUncaught(text);
  return { type: null, message: said === '' ? null : said };
}

function withoutUncaught(text: string): string {
  const said = text.trim();
  return said[0] === 'u' || said[0] === 'U' ? said.replace(uncaught, '') : said;
}
