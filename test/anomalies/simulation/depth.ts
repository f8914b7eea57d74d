/** How much is tried: `npm run test:full` takes its time. */
export const isFull = process.env.TEST_DEPTH === 'full';

/** A number of the environment, for whoever looks into one thing. */
export function chosen(name: 'SEED' | 'SEEDS' | 'OPERATION'): number | null {
  return process.env[name] ? Number(process.env[name]) : null;
}
