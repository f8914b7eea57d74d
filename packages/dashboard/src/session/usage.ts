import { signal } from '@preact/signals';
import type { Usage } from '@service/protocol';
import { get } from '../api/call.ts';
import { retryWhenLive } from '../api/retry-when-live.ts';
import { listen } from '../live/live.ts';

/** What the team has used this month, live. */
export const usage = signal<Usage | undefined>(undefined);

export async function loadUsage(): Promise<void> {
  usage.value = await get<Usage>('/billing/usage');
}

export function followUsage(): () => void {
  let failure: Error | undefined;
  const load = async (): Promise<void> => {
    try {
      await loadUsage();
      failure = undefined;
    } catch (error) {
      // The screens that need it say what went wrong.
      failure = error as Error;
    }
  };
  void load();
  const stopRetrying = retryWhenLive(() => failure, load);
  const deaf = listen((event) => {
    if (event.type === 'usage.updated') usage.value = event.usage;
    else if (event.type === 'reset') void load();
  });
  return () => {
    deaf();
    stopRetrying();
  };
}

/** How much of a quota is used, from 0 to 1; null: there is none. */
export function share(used: number, quota: number | null): number | null {
  if (quota === null) return null;
  return quota === 0 ? 1 : Math.min(1, used / quota);
}
