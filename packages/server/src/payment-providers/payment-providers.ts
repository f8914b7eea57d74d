import type { Config } from '../config.ts';
import { ProblemError } from '../problem.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { Sandbox } from './sandbox.ts';
import { openStripe, type StripeApi } from './stripe.ts';

/** Those that the settings name. */
export interface PaymentProviders {
  readonly stripe: PaymentProvider | null;
  readonly sandbox: Sandbox | null;
}

/** Rejects with a ConfigError if one needs a package that is not there. */
export async function openPaymentProviders(
  config: Config,
  warn: (message: string) => void,
  stripeApi?: StripeApi,
): Promise<PaymentProviders> {
  const { stripeKey: key, stripeWebhookSecret: webhookSecret, sandboxSecret } = config;
  const isStripe = key !== null && webhookSecret !== null;
  if (isStripe && sandboxSecret !== null)
    warn('with the sandbox beside Stripe every owner of a team may have every plan for nothing');
  return {
    stripe: isStripe ? await openStripe({ key, webhookSecret }, stripeApi) : null,
    sandbox: sandboxSecret === null ? null : new Sandbox(sandboxSecret),
  };
}

/** By its name; without one, the first that there is. Throws `provider_not_found`. */
export function findProvider({ stripe, sandbox }: PaymentProviders, name?: string): PaymentProvider {
  const provider = [stripe, sandbox].find((each) => each && (name === undefined || each.name === name));
  if (provider) return provider;
  throw new ProblemError(
    'provider_not_found',
    name === undefined ? 'This server takes no payments.' : 'This server takes no payments by this provider.',
  );
}
