/** True if SQLite is available. Otherwise the tests that need it are skipped, with a warning. */
export const hasSqlite =
  process.getBuiltinModule?.('node:sqlite') !== undefined ||
  (await import('@libsql/client').then(
    () => true,
    () => false,
  ));
if (!hasSqlite)
  console.warn('node:sqlite is missing and @libsql/client does not load. The tests of sqlite: are skipped.');
