import { measured } from './lib/measured.ts';
import { retryOrThrow } from './lib/retry.ts';
import { withTimeout } from './lib/with-timeout.ts';

const never = new Promise<never>(() => undefined);

/** What a bank says that does not answer. */
const askBank = (): Promise<never> => never;

export async function pay(patience: number): Promise<void> {
  await measured('payment', () => withTimeout(askBank(), patience));
}

export async function refund(patience: number): Promise<void> {
  const answer = askBank();
  await withTimeout(answer, patience);
}

export function readReceipt(text: string): Promise<unknown> {
  return retryOrThrow(2, async () => JSON.parse(text) as unknown);
}

export function readInvoice(text: string): Promise<unknown> {
  return retryOrThrow(3, async () => {
    const invoice: unknown = JSON.parse(text);
    return invoice;
  });
}

export function cheapestBank(route: string): Promise<string> {
  const banks = ['north', 'south'].map(async (bank) => {
    throw new Error(`Bank ${bank} does not serve ${route}`);
  });
  return Promise.any(banks);
}

export async function confirm(signal: AbortSignal): Promise<void> {
  await fetch('/api/slow', { signal });
}
