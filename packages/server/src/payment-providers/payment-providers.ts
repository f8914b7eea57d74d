import type { Config } from '../config.ts';
import { ProblemError } from '../problem.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { Sandbox } from './sandbox.ts';
import { openStripe, type StripeApi } from './stripe.ts';

/** The configured providers. */
export interface PaymentProviders {
  readonly stripe: PaymentProvider | null;
  readonly sandbox: Sandbox | null;
}

/** Opens the configured providers. Rejects with a ConfigError if one needs a package that is not installed. */
export async function openPaymentProviders(
  config: Config,
  warn: (message: string) => void,
  stripeApi?: StripeApi,
): Promise<PaymentProviders> {
  const { stripeKey: key, stripeWebhookSecret: webhookSecret, sandboxSecret } = config;
  const isStripe = key !== null && webhookSecret !== null;
  if (isStripe && sandboxSecret !== null)
    warn('the sandbox is enabled next to Stripe: every owner of a team can get every plan for free');
  return {
    stripe: isStripe ? await openStripe({ key, webhookSecret }, stripeApi) : null,
    sandbox: sandboxSecret === null ? null : new Sandbox(sandboxSecret),
  };
}

/**
 * Returns the provider with this name. Without a name, returns the default one. Throws `provider_not_found` if the
 * server does not have it.
 */
export function findProvider({ stripe, sandbox }: PaymentProviders, name?: string): PaymentProvider {
  const provider = [stripe, sandbox].find((each) => each && (name === undefined || each.name === name));
  if (provider) return provider;
  throw new ProblemError(
    'provider_not_found',
    name === undefined ? 'This server has no payment provider.' : 'This server does not have this payment provider.',
  );
}
