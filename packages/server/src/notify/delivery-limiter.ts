import type { Destination } from './channels/notification-channel.ts';

/** A destination that takes longer is treated like one that does not respond. */
const responsiveMs = 2_000;
const maxRemembered = 10_000;

/** Maximum number of concurrent deliveries. The limits below reserve a part of it for responsive destinations. */
export const maxConcurrentDeliveries = 128;
/** Maximum number of concurrent deliveries to a destination that the operator has configured, or that is responsive. */
const maxPerDestination = 8;
/** Maximum number of concurrent deliveries to all destinations that are not known to be responsive. One to each. */
const maxUnproven = 80;
/** Maximum number of concurrent deliveries to all destinations that were slow the last time. */
const maxSlow = 16;

/**
 * Limits concurrent deliveries by how quickly each destination took its last message. A destination that accepts a
 * connection and never responds delays only other unproven ones, and only once: from then on it is known to be slow.
 */
export class DeliveryLimiter {
  /**
   * By key: true if the destination accepted its last message quickly, false if it was slow, absent if it is unknown. A
   * quick failure changes nothing.
   */
  readonly #isResponsive = new Map<string, boolean>();
  readonly #pending = new Map<string, number>();
  #unproven = 0;
  #slow = 0;

  hasRoom(destination: Destination | null): boolean {
    if (destination === null) return true;
    const pending = this.#pending.get(destination.key) ?? 0;
    const isResponsive = this.#isResponsiveNow(destination);
    if (isResponsive === true) return pending < maxPerDestination;
    return pending === 0 && this.#unproven < maxUnproven && (isResponsive === undefined || this.#slow < maxSlow);
  }

  /**
   * Counts a delivery as pending until the returned function is called with its result: whether it was accepted.
   * Null means that nothing was sent, so the result says nothing about the destination.
   */
  begin(destination: Destination): (isAccepted: boolean | null) => void {
    const isResponsive = this.#isResponsiveNow(destination);
    const beganAt = performance.now();
    this.#count(destination.key, isResponsive, 1);
    return (isAccepted) => {
      this.#count(destination.key, isResponsive, -1);
      if (isAccepted === null || destination.isTrusted) return;
      if (performance.now() - beganAt >= responsiveMs) this.#remember(destination.key, false);
      else if (isAccepted) this.#remember(destination.key, true);
    };
  }

  #isResponsiveNow({ key, isTrusted }: Destination): boolean | undefined {
    return isTrusted ? true : this.#isResponsive.get(key);
  }

  #count(key: string, isResponsive: boolean | undefined, by: number): void {
    const pending = (this.#pending.get(key) ?? 0) + by;
    if (pending > 0) this.#pending.set(key, pending);
    else this.#pending.delete(key);
    if (isResponsive !== true) this.#unproven += by;
    if (isResponsive === false) this.#slow += by;
  }

  #remember(key: string, isResponsive: boolean): void {
    this.#isResponsive.delete(key);
    this.#isResponsive.set(key, isResponsive);
    for (const oldest of this.#isResponsive.keys()) {
      if (this.#isResponsive.size <= maxRemembered) return;
      this.#isResponsive.delete(oldest);
    }
  }
}
