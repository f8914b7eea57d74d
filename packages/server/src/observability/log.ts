import { pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { truncate } from '../text/truncate.ts';
import { scrub } from '../scrub/scrub.ts';

/** Of a stack or a message no more is told: a client may have had a say in it. */
const mostChars = 16_384;
const secretChars = 2_048;
const mostCauses = 4;

/** Creates the log: JSON lines on standard output, or in `destination`. */
export function createLog(logLevel: LevelWithSilent, destination?: DestinationStream): Logger {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFields },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * What is told of an error: where it happened and why, all the way down. Errors of packages carry more than that (the
 * command that failed, with all it was to write), so nothing goes along unasked.
 */
function errorFields(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return { message: text(String(thrown)) };
  const { name, message, stack, cause } = thrown;
  const { code, syscall } = thrown as NodeJS.ErrnoException;
  return {
    type: text(name),
    message: text(message),
    ...(typeof code === 'string' && { code: text(code) }),
    ...(typeof syscall === 'string' && { syscall: text(syscall) }),
    stack: text(stack ?? ''),
    ...(cause !== undefined && depth < mostCauses && { cause: errorFields(cause, depth + 1) }),
  };
}

function text(value: string): string {
  // Behind what is told there is room for the rest of a secret: half of one may not look like one.
  return truncate(scrub(truncate(value, mostChars + secretChars)), mostChars).toWellFormed();
}
