import { StreamEvent } from '@service/protocol';
import type { Sink } from '../../src/stream/subscriber.ts';

/** An event as a client receives it. */
export interface ReadEvent {
  id: string;
  data: StreamEvent;
}

/** The text between two empty lines. */
export interface Block {
  id: string | null;
  data: StreamEvent | null;
  isComment: boolean;
  retry: string | null;
}

/** A sink whose client reads everything, or has stalled. */
export class TestSink implements Sink {
  readonly writes: Buffer[] = [];
  /** True if the client has stopped reading. */
  isStalled = false;
  bufferedBytes = 0;
  isOver: 'ended' | 'disconnected' | null = null;

  write(bytes: Buffer): void {
    if (this.isOver !== null) throw new Error('Written after the end.');
    this.writes.push(bytes);
    if (this.isStalled) this.bufferedBytes += bytes.length;
  }

  end(): void {
    this.isOver = 'ended';
  }

  disconnect(): void {
    this.isOver = 'disconnected';
  }

  get text(): string {
    return Buffer.concat(this.writes).toString();
  }

  get blocks(): Block[] {
    return this.text.split('\n\n').filter(Boolean).map(readBlock);
  }

  get events(): ReadEvent[] {
    return this.blocks.flatMap(({ id, data }) => (data && id !== null ? { id, data } : []));
  }

  get types(): string[] {
    return this.events.map(({ data }) => data.type);
  }

  /** The last id that a browser would remember, including ids of blocks without an event. */
  get lastEventId(): string | null {
    return this.blocks.findLast(({ id }) => id !== null)?.id ?? null;
  }
}

function readBlock(text: string): Block {
  const lines = text.split('\n');
  const valueOf = (field: string): string | null =>
    lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2) ?? null;
  const data = valueOf('data');
  const unexpected = lines.filter((line) => !/^(:.*|(id|data|retry): .*)$/.test(line));
  if (unexpected.length > 0) throw new Error(`Unexpected line in a stream: ${unexpected.join()}`);
  return {
    id: valueOf('id'),
    data: data === null ? null : StreamEvent.parse(JSON.parse(data)),
    isComment: lines.some((line) => line.startsWith(':')),
    retry: valueOf('retry'),
  };
}
