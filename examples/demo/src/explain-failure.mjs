import { ConfigError, DamagedStorageError, LockedStorageError } from '@service/server';

/**
 * One line for what the person at the keyboard can mend; everything, with its stack, for a defect of ours.
 * @param {unknown} error
 */
export function explainFailure(error) {
  if (!(error instanceof Error)) return error;
  const { code, port } = /** @type {NodeJS.ErrnoException & { port?: number }} */ (error);
  if (code === 'EADDRINUSE')
    return `demo: Port ${port} is taken. Choose another, SERVICE_PORT=${port === 4400 ? 4401 : 4400} npm start, or stop what listens there.`;
  const expected = [ConfigError, DamagedStorageError, LockedStorageError, NotBuiltError];
  const isOfTheSystem = code !== undefined && 'syscall' in error;
  return isOfTheSystem || expected.some((type) => error instanceof type) ? `demo: ${error.message}` : error;
}

/** The demo was started without its build. */
export class NotBuiltError extends Error {
  /** @override */
  name = 'NotBuiltError';
}
