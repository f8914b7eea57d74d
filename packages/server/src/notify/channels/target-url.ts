import { isLookupQueueTimeout } from '../../outgoing/name-lookup.ts';
import { RejectedTargetError, resolveWebhookAddress } from '../../outgoing/ssrf-guard.ts';
import { ProblemError } from '../../problem.ts';
import type { Services } from '../../services.ts';
import type { DeliveryObstacle, Destination } from './notification-channel.ts';

/*
 * Code of all channels that post to a URL of the project's settings.
 */

const lookupTimeoutMs = 10_000;

/**
 * Resolves with the reason if the server must not or can't post to the URL of the field `path`, or else with null.
 * Rejects with `overloaded` if too many host names are being resolved.
 */
export async function findTargetObstacle(
  { config, resolveHost }: Pick<Services, 'config' | 'resolveHost'>,
  url: string | null,
  path: string,
): Promise<DeliveryObstacle | null> {
  if (url === null) return null;
  const timeout = AbortSignal.timeout(lookupTimeoutMs);
  try {
    await resolveWebhookAddress(url, config.allowPrivateWebhooks, resolveHost, timeout);
    return null;
  } catch (error) {
    if (isLookupQueueTimeout(error))
      throw new ProblemError('overloaded', 'Too many host names are being resolved. Try again in a moment.', {
        retryAfterSeconds: 5,
      });
    if (!(error instanceof RejectedTargetError)) throw error;
    return { path, reason: error.reason };
  }
}

/** Hides all but the origin: path and query are the secret of a webhook URL. */
export function maskUrl(url: string | null): string | null {
  return url === null ? null : `${new URL(url).origin}/…`;
}

/**
 * Caches destinations: the queue reads them often, and parsing a URL each time would cost more than the read itself.
 */
const destinations = new WeakMap<object, Destination>();

/** Returns the destination of stored settings that have a URL. */
export function targetDestination(settings: { readonly url: string | null }): Destination | null {
  if (settings.url === null) return null;
  const destination = destinations.get(settings) ?? { key: new URL(settings.url).origin, isTrusted: false };
  destinations.set(settings, destination);
  return destination;
}
