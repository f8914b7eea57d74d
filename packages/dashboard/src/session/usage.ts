import { signal } from '@preact/signals';
import type { Usage } from '@service/protocol';
import { get } from '../api/call.ts';
import { retryWhenLive } from '../api/retry-when-live.ts';
import { onEvent } from '../live/live-events.ts';

/** Usage of the team in the current month. Live events keep it current. */
export const usage = signal<Usage | undefined>(undefined);

export async function loadUsage(): Promise<void> {
  usage.value = await get<Usage>('/billing/usage');
}

/** Loads the usage and follows its events. Returns the function that unsubscribes. */
export function followUsage(): () => void {
  let failure: Error | undefined;
  const load = async (): Promise<void> => {
    try {
      await loadUsage();
      failure = undefined;
    } catch (error) {
      // The usage screen loads it again and shows the error.
      failure = error as Error;
    }
  };
  void load();
  const stopRetrying = retryWhenLive(() => failure, load);
  const unsubscribe = onEvent((event) => {
    if (event.type === 'usage.updated') usage.value = event.usage;
    else if (event.type === 'reset') void load();
  });
  return () => {
    unsubscribe();
    stopRetrying();
  };
}

/** The used share of a quota from which on the user is warned. */
export const warningShare = 0.75;

/** Returns the used share of a quota, from 0 to 1, or null if the quota is unlimited. */
export function usedShare(used: number, quota: number | null): number | null {
  if (quota === null) return null;
  return quota === 0 ? 1 : Math.min(1, used / quota);
}
