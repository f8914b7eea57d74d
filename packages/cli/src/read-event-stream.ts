/** A server-sent event. `data` is null for a position without an event, and for a comment. */
interface ServerSentEvent {
  id: string | null;
  data: string | null;
}

/** The stream was silent for too long, or an event was too long. */
export class StreamInterruptedError extends Error {
  override readonly name = 'StreamInterruptedError';
}

const maxEventChars = 4 * 1024 * 1024;

/**
 * Yields the events of a stream until it ends. Throws a StreamInterruptedError if an event is too long, or if nothing
 * arrives for `silentMs`, which must be longer than the pause between two comments of the server.
 */
export async function* readEventStream({ body }: Response, silentMs: number): AsyncGenerator<ServerSentEvent> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let text = '';
  try {
    for (;;) {
      const { done, value } = await within(silentMs, reader.read());
      if (done) return;
      text += value;
      // Proxies may change the line ends.
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      if (text.length > maxEventChars) throw new StreamInterruptedError('An event of the stream is too long.');
      for (const block of blocks) yield parseEvent(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function within<Result>(ms: number, pending: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StreamInterruptedError('The stream is silent.')), ms);
  });
  return Promise.race([pending, silence]).finally(() => clearTimeout(timer));
}

function parseEvent(block: string): ServerSentEvent {
  const fields = new Map(block.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
  return { id: fields.get('id') ?? null, data: fields.get('data') ?? null };
}
