/** Returns a number from an environment variable, which selects one case. */
export function numberFromEnv(name: 'SEED' | 'SEEDS' | 'OPERATION'): number | null {
  return process.env[name] ? Number(process.env[name]) : null;
}
