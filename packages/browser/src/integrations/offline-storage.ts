import { attempt } from '../attempt.ts';
import { track } from '../capture.ts';
import type { Integration } from '../client.ts';
import { readText } from '../read-property.ts';
import { maxWaitingReports } from '../send-with-retry.ts';
import type { ErrorReport } from '../report.ts';

/**
 * Stores the reports that wait for a retry in `localStorage`, so that they survive a reload. The next page sends them.
 * If another tab sends the same report, the server counts it once.
 */
export function offlineStorage(): Integration {
  return (client) => {
    // Each report has its own key, so that tabs don't overwrite the reports of each other.
    const { apiKey } = client.settings;
    const prefix = `__serviceSDK ${apiKey} `;
    client.onWait = (report, isWaiting) => {
      const key = prefix + report.event_id;
      // What still waits when the client has ended is left to the next page.
      if (isWaiting) attempt(() => localStorage.setItem(key, JSON.stringify(report)));
      else if (!client.isEnded) attempt(() => localStorage.removeItem(key));
    };
    const keys = attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(prefix))) ?? [];
    // No more of them could wait if this page is offline too. The others are left to the next page.
    for (const key of keys.slice(0, maxWaitingReports)) {
      const report = attempt(() => JSON.parse(localStorage.getItem(key) ?? '') as ErrorReport);
      attempt(() => localStorage.removeItem(key));
      // Other code of the page may have changed it.
      if (report && readText(report, 'message')) {
        track(client, client.send(client, { ...report, project_api_key: apiKey }));
      }
    }
  };
}
