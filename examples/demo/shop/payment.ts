/** Rejects, and no code awaits the promise. */
export async function pay(): Promise<void> {
  await askBank();
}

async function askBank(): Promise<never> {
  await Promise.resolve();
  throw new Error('The card was declined');
}
