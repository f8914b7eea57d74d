import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { TestFailureReason } from '@service/protocol';
import { errorCode } from '../../outgoing/error-code.ts';
import { RejectedTargetError, resolveWebhookAddress } from '../../outgoing/ssrf-guard.ts';
import type { Services } from '../../services.ts';

const webhookTimeoutMs = 10_000;

/** The webhook responded with another status than 2xx. */
export class WebhookStatusError extends Error {
  override readonly name = 'WebhookStatusError';
  readonly status: number;

  constructor(status: number) {
    super(`The webhook responded with ${status}.`);
    this.status = status;
  }
}

interface WebhookRequest {
  url: string;
  /** In addition to the type and the length of the body. */
  headers?: Readonly<Record<string, string>>;
  body: object;
}

/** Posts JSON to the current address of the host. Redirects are not followed. Rejects if the status is not 2xx. */
export async function postWebhook(
  { config, resolveHost }: Pick<Services, 'config' | 'resolveHost'>,
  { url, headers, body }: WebhookRequest,
  stop: AbortSignal,
): Promise<void> {
  // The timeout includes the lookup, because a name server may be as unresponsive as a chat.
  const signal = AbortSignal.any([stop, AbortSignal.timeout(webhookTimeoutMs)]);
  const { address, family } = await resolveWebhookAddress(url, config.allowPrivateWebhooks, resolveHost, signal);
  const pinned: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
  const text = JSON.stringify(body);
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  await new Promise<void>((resolve, reject) => {
    const sending = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
        lookup: pinned,
        signal,
        agent: false,
      },
      (response) => {
        const { statusCode = 0 } = response;
        // The body is not needed, and may be endless.
        response.destroy();
        if (statusCode >= 200 && statusCode < 300) resolve();
        else reject(new WebhookStatusError(statusCode));
      },
    );
    sending.on('error', reject);
    sending.end(text);
  });
}

/** Maps an error of `postWebhook` to a reason that the caller may read. */
export function webhookFailureReason(error: unknown): TestFailureReason {
  if (error instanceof RejectedTargetError) return error.reason;
  if (error instanceof WebhookStatusError) return 'webhook_rejected';
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(errorCode(error))
    ? 'webhook_certificate'
    : 'webhook_unreachable';
}
