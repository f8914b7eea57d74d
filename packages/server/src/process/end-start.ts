/** Ends a start at any point, like a crash: the storage survives it. A handler of SIGTERM and SIGINT. */
export function endStart(signal: NodeJS.Signals): void {
  process.exit(signal === 'SIGINT' ? 130 : 143);
}
