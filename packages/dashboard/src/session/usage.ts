import { signal } from '../state/signal.ts';
import type { Usage } from '@service/protocol';
import { get } from '../api/call.ts';
import { listen } from '../live/live.ts';

/** What the team has used this month, live. */
export const usage = signal<Usage | undefined>(undefined);

export async function loadUsage(): Promise<void> {
  usage.value = await get<Usage>('/billing/usage');
}

/** The screens that need it say what went wrong; here nobody waits for it. */
const load = (): void => void loadUsage().catch(() => undefined);

export function followUsage(): () => void {
  load();
  return listen((event) => {
    if (event.type === 'usage.updated') usage.value = event.usage;
    else if (event.type === 'reset') load();
  });
}

/** How much of a quota is used, from 0 to 1; null: there is none. */
export function share(used: number, quota: number | null): number | null {
  if (quota === null) return null;
  return quota === 0 ? 1 : Math.min(1, used / quota);
}
