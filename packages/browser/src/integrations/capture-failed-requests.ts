import { capture } from '../capture.ts';
import type { Client, Integration } from '../client.ts';
import { instrumentFetch } from '../instruments/fetch.ts';
import { instrumentXhr } from '../instruments/xhr.ts';
import { addReportUrl, isReportUrl } from '../report-url.ts';

export interface FailedRequestOptions {
  /** Returns whether a response is an error. By default, a status of 500 or more is. */
  isFailure?: ((status: number) => boolean) | null | undefined;
}

/** Reports the requests of the page that fail: by default, with a status of 500 or more. */
export function captureFailedRequests(options?: FailedRequestOptions | null): Integration {
  const isFailure = options?.isFailure ?? ((status) => status >= 500);
  return (client) => {
    addReportUrl(client);
    client.onRequestEnd = ({ method, url, status }) => {
      // The other clients of the page send their reports by the patched fetch, and retry them.
      if (method === 'POST' && isReportUrl(client, url)) return;
      if (isFailure(status)) capture(client, `Request failed with status ${status}: ${method} ${url}`);
    };
    client.teardowns.push(() => (client.onRequestEnd = undefined));
    // Requests that are no breadcrumbs are watched too, by a client whose breadcrumbs are never sent.
    const { breadcrumbs } = client.settings;
    const settings = { ...client.settings, beforeBreadcrumb: undefined };
    const watcher: Client = Object.assign(Object.create(client), { settings, breadcrumbs: new Set() });
    if (breadcrumbs?.fetch === false) instrumentFetch(watcher);
    if (breadcrumbs?.xhr === false) instrumentXhr(watcher);
  };
}
