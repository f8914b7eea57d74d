/** Fails when the work takes too long. */
export function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`Timed out after ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([work, late]);
}
