import { cut } from '../copy.ts';
import { guard } from '../guard.ts';
import type { Note } from '../trail.ts';

/** Begins to note a request; what it returns ends it, given who knows the status of the answer. */
export function noteRequest(
  note: Note,
  category: string,
  method: string,
  url: unknown,
): (answer?: { status: number }) => void {
  const start = Date.now();
  url = cut(url + '', 2_000);
  return guard((answer) =>
    // 0 if there was none.
    note('http', category, {
      method: method.toUpperCase(),
      url,
      status: answer?.status ?? 0,
      duration: Date.now() - start,
    }),
  );
}
