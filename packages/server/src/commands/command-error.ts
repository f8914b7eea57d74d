/** A command that can't be done: in one line for the operator. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
