/** Returns the number in an environment variable: a seed, the number of seeds, or an operation. Null if it is unset. */
export function numberFromEnv(name: 'SEED' | 'SEEDS' | 'OPERATION'): number | null {
  return process.env[name] ? Number(process.env[name]) : null;
}
