/** Returns the package that an import did not find, or null. The operator installs the clients of storages. */
export function missingPackage(error: unknown): string | null {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_MODULE_NOT_FOUND') return null;
  return /^Cannot find package '([^']+)'/.exec(message)?.[1] ?? null;
}
