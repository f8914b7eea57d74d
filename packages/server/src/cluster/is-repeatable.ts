import { readReportEventId } from '../report/parse-report.ts';
import { reportPath } from '../receive/receive-report.ts';
import type { ForwardedRequest } from './forwarder.ts';

/** Returns whether a request that may have been handled can be sent again without another effect. */
export function isRepeatable({ request, body }: ForwardedRequest): boolean {
  if (body === null) return false;
  if (isRead(request)) return true;
  // A report is counted once, however often it is sent with its id.
  return request.url === reportPath && hasEventId(body);
}

export function isRead({ method }: ForwardedRequest['request']): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns false also for compressed reports, and for an id that the report would lose: it must be a UUID. */
function hasEventId(report: Buffer): boolean {
  try {
    return readReportEventId((JSON.parse(report.toString()) as { event_id?: unknown } | null)?.event_id) !== null;
  } catch {
    return false;
  }
}
