import type { NotificationRecord, Channel } from '../store/records/records.ts';

/** Mails all go to the one server that the operator has set. */
const mailServer = 'email';
/** A target that takes longer to answer is no better than one that does not answer. */
const quickMs = 2_000;
const mostRemembered = 10_000;

/** How many messages may be under way. What is left belongs to targets that took their last one quickly. */
export const mostAtOnce = 128;
const mostMails = 8;
const mostUnproven = 80;
const mostSlow = 16;
/** To one target; to one that has not shown yet that it takes what it is sent, one. */
const mostToOne = 8;

/**
 * Where messages go to, and how well they were taken there. Targets that accept a connection and never answer hold up only
 * those of which as little is known, and only once: then they are known to be slow and share a few places.
 */
export class DeliveryLimiter {
  /** True: it took its last message quickly; false: it kept it waiting. */
  readonly #isQuick = new Map<string, boolean>();
  readonly #underWay = new Map<string, number>();
  #unproven = 0;
  #slow = 0;
  readonly #origins = new WeakMap<NotificationRecord, string>();

  /** Null: the settings name none. */
  of(way: Channel, settings: NotificationRecord | undefined): string | null {
    if (way === 'email') return mailServer;
    if (!settings?.webhook.url) return null;
    const known = this.#origins.get(settings) ?? new URL(settings.webhook.url).origin;
    this.#origins.set(settings, known);
    return known;
  }

  hasRoom(target: string | null): boolean {
    if (target === null) return true;
    const underWay = this.#underWay.get(target) ?? 0;
    if (target === mailServer) return underWay < mostMails;
    const isQuick = this.#isQuick.get(target);
    if (isQuick === true) return underWay < mostToOne;
    return underWay === 0 && this.#unproven < mostUnproven && (isQuick === undefined || this.#slow < mostSlow);
  }

  /** Notes that one is under way until what is given back is called, with whether it was taken; null: it was not sent at all. */
  begin(target: string): (isTaken: boolean | null) => void {
    const isQuick = target === mailServer ? true : this.#isQuick.get(target);
    const began = performance.now();
    this.#count(target, isQuick, 1);
    return (isTaken) => {
      this.#count(target, isQuick, -1);
      if (isTaken === null) return;
      if (performance.now() - began >= quickMs) this.#remember(target, false);
      else if (isTaken) this.#remember(target, true);
    };
  }

  #count(target: string, isQuick: boolean | undefined, by: number): void {
    const underWay = (this.#underWay.get(target) ?? 0) + by;
    if (underWay > 0) this.#underWay.set(target, underWay);
    else this.#underWay.delete(target);
    if (isQuick !== true) this.#unproven += by;
    if (isQuick === false) this.#slow += by;
  }

  #remember(target: string, isQuick: boolean): void {
    this.#isQuick.delete(target);
    this.#isQuick.set(target, isQuick);
    for (const oldest of this.#isQuick.keys()) {
      if (this.#isQuick.size <= mostRemembered) return;
      this.#isQuick.delete(oldest);
    }
  }
}
