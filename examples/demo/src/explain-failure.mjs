import { ConfigError, DamagedStorageError, LockedStorageError } from '@service/server';

/**
 * Returns one line for errors that the user can fix, and the whole error, with its stack, for bugs.
 * @param {unknown} error
 */
export function explainFailure(error) {
  if (!(error instanceof Error)) return error;
  const { code, port, syscall } = /** @type {NodeJS.ErrnoException & { port?: number }} */ (error);
  if (code === 'EADDRINUSE')
    return `demo: Port ${port} is taken. Choose another, SERVICE_PORT=${port === 4400 ? 4401 : 4400} npm start, or stop what listens there.`;
  // No permission for a port below 1024, or the address of another machine.
  if (syscall === 'listen') return `demo: ${error.message}. Choose another address with SERVICE_HOST and SERVICE_PORT.`;
  const expected = [ConfigError, DamagedStorageError, LockedStorageError, NotBuiltError];
  const isOfTheSystem = code !== undefined && syscall !== undefined;
  return isOfTheSystem || expected.some((type) => error instanceof type) ? `demo: ${error.message}` : error;
}

/** Thrown if the demo is started without its build. */
export class NotBuiltError extends Error {
  /** @override */
  name = 'NotBuiltError';
}
