/** Whether this machine has an SQLite. Where it has not, tests that need it are left out, and say so. */
export const hasSqlite =
  process.getBuiltinModule?.('node:sqlite') !== undefined ||
  (await import('@libsql/client').then(
    () => true,
    () => false,
  ));
if (!hasSqlite)
  console.warn('There is no node:sqlite, and @libsql/client does not load: the tests of sqlite: are skipped.');
