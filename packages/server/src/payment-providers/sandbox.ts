import { createHmac, timingSafeEqual } from 'node:crypto';
import { SandboxEvent } from '@service/protocol';
import { createSecret } from '../credentials/secret.ts';
import { jsonText, parseJson } from '../validation/json.ts';
import { validate } from '../validation/validation.ts';
import type {
  OpenedCheckout,
  Order,
  PaymentEvent,
  PaymentOutcome,
  PaymentProvider,
  SentEvent,
} from './payment-provider.ts';
import { assertTimely, invalidSignature } from './webhook-signature.ts';

const statuses: ReadonlyMap<string, PaymentOutcome['status']> = new Map([
  ['payment.succeeded', 'paid'],
  ['payment.failed', 'failed'],
]);

/** A provider for trying out payments. It takes no money: the link of a checkout is enough to mark it as paid. */
export class Sandbox implements PaymentProvider {
  readonly name = 'sandbox';
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async openCheckout({ paymentId, baseUrl }: Order): Promise<OpenedCheckout> {
    // Payment ids are sequential, so the path needs a secret that can't be guessed.
    const id = createSecret();
    return { id, url: baseUrl + sandboxPath(paymentId, id) };
  }

  readEvent({ bytes, header }: SentEvent, now: number): PaymentEvent {
    const { time, signatures } = readSignature(header(signatureHeader) ?? '');
    const expected = this.#hmac(time, bytes);
    if (!signatures.some((signature) => timingSafeEqual(signature, expected))) throw invalidSignature();
    assertTimely(Number(time), now);
    const { id, type, payment_id } = validate(SandboxEvent, parseJson(jsonText(bytes)));
    const status = statuses.get(type);
    // The time of the signature is the time of sending, not of the payment.
    const outcome = status && {
      paymentId: payment_id ?? 0,
      checkoutId: null,
      transferId: null,
      status,
      at: null,
      ageMs: null,
    };
    return { id, type, outcome: outcome ?? null, reversal: null };
  }

  /** Returns the headers that make a request with this body a signed event. `now` is in milliseconds. */
  sign(body: string, now: number): Record<string, string> {
    const time = String(Math.floor(now / 1_000));
    const signature = this.#hmac(time, Buffer.from(body)).toString('hex');
    return { 'content-type': 'application/json', [signatureHeader]: `t=${time},v1=${signature}` };
  }

  #hmac(time: string, body: Buffer): Buffer {
    return createHmac('sha256', this.#secret).update(`${time}.`).update(body).digest();
  }
}

const signatureHeader = 'x-signature';

/** Returns the path of the sandbox's checkout page. */
export function sandboxPath(paymentId: number | string, checkoutId: string): string {
  return `/billing/sandbox/${paymentId}/${checkoutId}`;
}

/**
 * Parses `t=<unix seconds>,v1=<hex>`. Several `v1` are allowed, for example for an older secret. Other parts are
 * ignored.
 */
function readSignature(text: string): { time: string; signatures: Buffer[] } {
  const times: string[] = [];
  const signatures: Buffer[] = [];
  for (const part of text.split(',')) {
    const item = part.trim();
    if (/^t=\d{1,15}$/.test(item)) times.push(item.slice(2));
    else if (/^v1=[\da-f]{64}$/i.test(item)) signatures.push(Buffer.from(item.slice(3), 'hex'));
  }
  const [time] = times;
  // With two times, the signed one is ambiguous.
  if (time === undefined || times.length > 1) throw invalidSignature();
  return { time, signatures };
}
