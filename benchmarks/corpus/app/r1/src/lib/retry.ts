/** Tries again what may fail for a moment. */
export async function retry<T>(times: number, attempt: (turn: number) => Promise<T>): Promise<T> {
  let last: unknown;
  for (let turn = 1; turn <= times; turn++) {
    try {
      return await attempt(turn);
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`Gave up after ${times} attempts`, { cause: last });
}

/** The same, for those who want the error itself. */
export async function retryOrThrow<T>(times: number, attempt: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await attempt();
    } catch (error) {
      if (turn >= times) throw error;
    }
  }
}
