/** Fails when the work takes too long. */
export function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      reject(new Error(`Timed out after ${milliseconds} ms`));
    }, milliseconds);
    work.then(resolve, reject);
  });
}
