import { attempt } from '../attempt.ts';
import { track } from '../capture.ts';
import type { Integration } from '../client.ts';
import type { ErrorReport } from '../report.ts';

/**
 * Stores the reports that wait for a retry in `localStorage`, so that they survive a reload. The next page sends them.
 * If another tab sends the same report, the server counts it once.
 */
export function offlineStorage(): Integration {
  return (client) => {
    // Each report has its own key, so that tabs don't overwrite the reports of each other.
    const prefix = `__serviceSDK ${client.settings.apiKey} `;
    client.onWait = (report, isWaiting) => {
      const key = prefix + report.event_id;
      attempt(() => (isWaiting ? localStorage.setItem(key, JSON.stringify(report)) : localStorage.removeItem(key)));
    };
    const keys = attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(prefix))) ?? [];
    for (const key of keys) {
      const report = attempt(() => JSON.parse(localStorage.getItem(key) ?? '') as ErrorReport);
      attempt(() => localStorage.removeItem(key));
      if (report?.message) track(client, client.send(client, report));
    }
    client.teardowns.push(() => (client.onWait = undefined));
  };
}
