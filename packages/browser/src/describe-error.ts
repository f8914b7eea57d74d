import { read } from './read.ts';
import { copy, cut } from './scrub.ts';

/** What can be told of a thrown value. */
export interface DescribedError {
  /**
   * Equal for errors that are the same: class, message and innermost calls. Other values are told by their identity,
   * for the text of `{}` is every object's.
   */
  key: unknown;
  /** The error's class; undefined for what is no error. */
  type: string | undefined;
  message: string;
  /** `Type: message` */
  title: string;
  /** The calls, innermost first, in the notation of the engine; empty if they are unknown. */
  frames: string;
  /** The title and the frames below it, whatever the engine, then the causes; undefined if there are neither. */
  stacktrace: string | undefined;
}

/** Describes whatever was thrown. An event stands for the error inside it. Never throws. */
export function describeError(thrown: unknown, above: unknown[] = []): DescribedError {
  const [phase, error, told, reason, ...place] = readAll(
    thrown,
    'eventPhase',
    'error',
    'message',
    'reason',
    'filename',
    'lineno',
    'colno',
  );
  // Events of any realm have a phase.
  const value = phase === undefined ? thrown : (error ?? told ?? reason);
  const [name, text, stack, cause, errors] = readAll(value, 'name', 'message', 'stack', 'cause', 'errors');
  const type = typeof text === 'string' ? (typeof name === 'string' && name) || 'Error' : undefined;
  // Browsers put `Uncaught` before what they tell window.onerror.
  const message = cut(String(type ? text : sketch(value)), 4_096).replace(/^uncaught (exception: )?/i, '') || 'Error';
  const title = type ? `${type}: ${message}` : message;
  // Chrome writes `Type: message` above the frames, as they were when the error was made; Firefox and WebKit do not.
  let frames = typeof stack === 'string' ? stack.replace(/^[^]*?\n(?= +at )/, '') : '';
  let stacktrace = frames && `${title}\n${frames}`;

  above.push(value);
  for (const inner of [cause, ...readAll(errors, '0', '1', '2', '3', '4')]) {
    // At most five, and a circle ends where it began.
    if (!inner || above.length > 5 || above.includes(inner)) continue;
    const described = describeError(inner, above);
    stacktrace = `${stacktrace || title}\nCaused by: ${described.stacktrace ?? described.title}`;
  }
  if (!stacktrace && place[0]) stacktrace = frames = `    at ${place.join(':')}`;
  const key = type ? title + frames.slice(0, 300) : value;
  return { key, title, frames, type, message, stacktrace: cut(stacktrace, 8_192) || undefined };
}

function readAll(value: unknown, ...keys: string[]): unknown[] {
  return keys.map((key) => read(value, key));
}

/** A thrown value that is no error, in a few words. */
function sketch(thrown: unknown): unknown {
  const copied = copy(thrown);
  return typeof copied === 'object' ? JSON.stringify(copied) : copied;
}
