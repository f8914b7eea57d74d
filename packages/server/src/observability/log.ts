import { pino, type DestinationStream, type LevelWithSilent, type Logger, type LoggerOptions } from 'pino';
import { truncate } from '../text/truncate.ts';
import { scrubText } from '../scrub/scrub-text.ts';
import { LineLimit } from './line-limit.ts';

/** Longer texts of errors are truncated, because a client may control their length. */
const maxChars = 16_384;
const maxCutSecretChars = 2_048;
const maxCauses = 4;

/**
 * Creates the log: JSON lines to standard output, or to `destination`. Of many lines with the same text, some are
 * omitted, and the next line has their number in `omitted` if it has fields.
 */
export function createLog(
  logLevel: LevelWithSilent,
  destination?: DestinationStream,
  limit: LineLimit = new LineLimit(),
): Logger {
  const options: LoggerOptions = {
    level: logLevel,
    hooks: {
      logMethod(args, write) {
        const [fields, text] = args as unknown as [object | string, string | undefined];
        const omitted = limit.admit(text ?? String(fields));
        if (omitted === null) return;
        if (omitted > 0 && typeof fields === 'object') write.call(this, { ...fields, omitted }, text);
        else write.apply(this, args);
      },
    },
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFields },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Returns the logged fields of an error and its causes. Other fields are omitted: errors of packages may carry more,
 * such as a failed command with all the data that it should have written.
 */
function errorFields(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return { message: scrubbedText(String(thrown)) };
  const { name, message, stack, cause } = thrown;
  const { code, syscall } = thrown as NodeJS.ErrnoException;
  return {
    type: scrubbedText(name),
    message: scrubbedText(message),
    ...(typeof code === 'string' && { code: scrubbedText(code) }),
    ...(typeof syscall === 'string' && { syscall: scrubbedText(syscall) }),
    stack: scrubbedText(stack ?? ''),
    ...(cause !== undefined && depth < maxCauses && { cause: errorFields(cause, depth + 1) }),
  };
}

function scrubbedText(value: string): string {
  // The text is scrubbed with some extra characters, since half of a secret may not be recognized as one.
  return truncate(scrubText(truncate(value, maxChars + maxCutSecretChars)), maxChars).toWellFormed();
}
