import { signal } from '@preact/signals';
import type { ErrorGroup, GroupStatus } from '@service/protocol';
import { call } from '../../api/call.ts';
import { errorMessage } from '../../api/api-error.ts';
import { showToast } from '../../components/toast.tsx';
import { countOf } from '../../format/count.ts';
import { broadcast } from '../../live/live-events.ts';

/** Groups whose status is being changed. */
export const changingIds = signal<ReadonlySet<number>>(new Set());

/** Calls the listener each time all pending changes are done. Returns the function that unsubscribes it. */
export function onStatusesChanged(listener: () => void): () => void {
  let previousSize = changingIds.value.size;
  return changingIds.subscribe(({ size }) => {
    if (size === 0 && previousSize > 0) listener();
    previousSize = size;
  });
}

/** On HTTP/1.1, browsers open six connections to a host, and the live stream uses one of them. */
const maxParallel = 4;

/** Resolves or reopens groups, and then offers to undo it. */
export async function setStatus(ids: readonly number[], status: GroupStatus): Promise<void> {
  changingIds.value = new Set([...changingIds.value, ...ids]);
  const failures: unknown[] = [];
  const done: number[] = [];
  const queue = ids.slice();
  const work = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      try {
        const group = await call<ErrorGroup>('PATCH', `/errors/${id}/status`, { status });
        done.push(id);
        // The stream also sends this event, but it may be disconnected.
        const type = status === 'resolved' ? 'group.resolved' : 'group.activated';
        broadcast({ type, project_id: group.project_id, group });
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: maxParallel }, work));
  changingIds.value = new Set(Array.from(changingIds.value).filter((id) => !ids.includes(id)));
  if (failures.length > 0) return showToast(errorMessage(failures[0]), { isError: true });
  const [verb, previous] =
    status === 'resolved' ? (['Resolved', 'active'] as const) : (['Reopened', 'resolved'] as const);
  showToast(`${verb} ${countOf(done.length, 'error')}.`, { undo: () => setStatus(done, previous) });
}
