/**
 * The file of code that runs in a worker thread or a child process: `NAME-worker.ts` is built into a file of its own, next
 * to the file that this module is built into. Tests run the sources as they are; `test/test-utils/built-workers.ts` builds it for them.
 */
export function workerFile(name: `${string}-worker`): URL {
  return new URL(`./${name}.js`, import.meta.url);
}
