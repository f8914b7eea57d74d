import { limits } from '@service/protocol';
import type { EnvelopeHeader, EnvelopeSink } from './envelope-reader.ts';
import { droppedItemType } from './dropped-item-types.ts';

/** Client reports, which list what an SDK has dropped, are small. */
const maxClientReportBytes = 16 * 1024;

/** Collects the events and the first client report of an envelope. Counts all items that are not stored. */
export class EnvelopeItems implements EnvelopeSink {
  readonly events: Buffer[] = [];
  readonly clientReports: Buffer[] = [];
  /** Items that are not stored, by type. */
  readonly dropped = new Map<string, number>();
  header: EnvelopeHeader = {};
  #heldBytes = 0;
  readonly #onEnvelope: (header: EnvelopeHeader) => void;

  /** `onEnvelope` is called before any item is read. It throws to reject the envelope. */
  constructor(onEnvelope: (header: EnvelopeHeader) => void) {
    this.#onEnvelope = onEnvelope;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  onEnvelope(header: EnvelopeHeader): void {
    this.#onEnvelope(header);
    this.header = header;
  }

  onItem({ type }: EnvelopeHeader): number {
    // All events together have the limit of one.
    if (type === 'event' && this.#heldBytes < limits.reportBodyBytes) return limits.reportBodyBytes - this.#heldBytes;
    this.drop(type);
    return type === 'client_report' && this.clientReports.length === 0 ? maxClientReportBytes : 0;
  }

  onPayload({ type }: EnvelopeHeader, payload: Buffer): void {
    this.#heldBytes += payload.length;
    if (type === 'event') this.events.push(payload);
    else this.clientReports.push(payload);
  }

  /** Counts an item that is not stored. */
  drop(type: unknown): void {
    const counted = droppedItemType(type);
    this.dropped.set(counted, (this.dropped.get(counted) ?? 0) + 1);
  }
}
