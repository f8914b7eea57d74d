import { signal } from '@preact/signals';
import type { ErrorGroup, GroupStatus } from '@service/protocol';
import { call, explain } from '../../api/call.ts';
import { tell } from '../../live/live.ts';
import { say } from '../../components/toast.tsx';

/** Groups whose status is being changed. */
export const settling = signal<ReadonlySet<number>>(new Set());

/** Calls the listener each time the last change of a status has settled. Returns the function that unsubscribes it. */
export function whenSettled(listener: () => void): () => void {
  let before = settling.value.size;
  return settling.subscribe(({ size }) => {
    if (size === 0 && before > 0) listener();
    before = size;
  });
}

/** So many requests are under way at once: browsers open six connections, and the stream has one of them. */
const atOnce = 4;

/** Resolves groups, or reopens them, and offers to take it back. */
export async function setStatus(ids: readonly number[], status: GroupStatus): Promise<void> {
  settling.value = new Set([...settling.value, ...ids]);
  const failures: unknown[] = [];
  const done: number[] = [];
  const rest = ids.slice();
  const work = async (): Promise<void> => {
    for (let id = rest.shift(); id !== undefined; id = rest.shift()) {
      try {
        const group = await call<ErrorGroup>('PATCH', `/errors/${id}/status`, { status });
        done.push(id);
        // The stream says it, too, but maybe it is being reconnected.
        const type = status === 'resolved' ? 'group.resolved' : 'group.activated';
        tell({ type, project_id: group.project_id, group });
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  settling.value = new Set(Array.from(settling.value).filter((id) => !ids.includes(id)));
  if (failures.length > 0) return say(explain(failures[0]), true);
  const [verb, back] = status === 'resolved' ? (['resolved', 'active'] as const) : (['reopened', 'resolved'] as const);
  const what = done.length === 1 ? 'The error is' : `${done.length} errors are`;
  say(`${what} ${verb}.`, false, () => setStatus(done, back));
}
