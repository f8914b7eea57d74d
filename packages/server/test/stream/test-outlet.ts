import { StreamEvent } from '@service/protocol';
import type { Sink } from '../../src/stream/subscriber.ts';

/** An event as a reader of the stream has it. */
export interface ReadEvent {
  id: string;
  data: StreamEvent;
}

/** What stands between two empty lines. */
export interface Block {
  id: string | null;
  data: StreamEvent | null;
  isComment: boolean;
  retry: string | null;
}

/** The end of a stream at which somebody reads, or has fallen asleep. */
export class TestOutlet implements Sink {
  readonly writes: Buffer[] = [];
  /** Nothing is taken from now on. */
  isAsleep = false;
  waitingBytes = 0;
  isOver: 'ended' | 'cut' | null = null;

  write(bytes: Buffer): void {
    if (this.isOver !== null) throw new Error('Written after its end.');
    this.writes.push(bytes);
    if (this.isAsleep) this.waitingBytes += bytes.length;
  }

  end(): void {
    this.isOver = 'ended';
  }

  cut(): void {
    this.isOver = 'cut';
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

  /** As a browser remembers it: of blocks without an event, too. */
  get lastEventId(): string | null {
    return this.blocks.findLast(({ id }) => id !== null)?.id ?? null;
  }
}

function readBlock(text: string): Block {
  const lines = text.split('\n');
  const valueOf = (field: string): string | null =>
    lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2) ?? null;
  const data = valueOf('data');
  const strangers = lines.filter((line) => !/^(:.*|(id|data|retry): .*)$/.test(line));
  if (strangers.length > 0) throw new Error(`No line of a stream: ${strangers.join()}`);
  return {
    id: valueOf('id'),
    data: data === null ? null : StreamEvent.parse(JSON.parse(data)),
    isComment: lines.some((line) => line.startsWith(':')),
    retry: valueOf('retry'),
  };
}
