/**
 * Where the code of a worker thread lies: `NAME-worker.ts` is built into a file of its own, beside the one that this is
 * built into. Tests, which run the sources as they are, have it built by `test/built-workers.ts`.
 */
export function workerFile(name: `${string}-worker`): URL {
  return new URL(`./${name}.js`, import.meta.url);
}
