import type { ExitCodeName } from './exit-codes.ts';

/** An error that the user can act on. It is printed without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exit: ExitCodeName;

  constructor(exit: ExitCodeName, message: string) {
    super(message);
    this.exit = exit;
  }
}
