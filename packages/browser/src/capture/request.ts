import type { Note } from '../client.ts';
import { guard } from '../guard.ts';
import { cut } from '../scrub.ts';

/** Begins to note a request; what it returns ends it, given who knows the status of the answer. */
export function noteRequest(
  note: Note,
  category: string,
  method: unknown,
  url: unknown,
): (answer?: { status: number }) => void {
  const start = Date.now();
  const data = { method: String(method).toUpperCase(), url: cut(String(url), 2_048) };
  return guard((answer) => {
    // 0 if there was none.
    note('http', category, { ...data, status: answer?.status ?? 0, duration: Date.now() - start });
  });
}
