/**
 * Returns the file of code that runs in a worker thread or a child process. `NAME-worker.ts` is built into a separate
 * file next to the one that contains this module. Tests run the sources; `test/test-utils/built-workers.ts` builds the
 * workers for them.
 */
export function workerFile(name: `${string}-worker`): URL {
  return new URL(`./${name}.js`, import.meta.url);
}
