import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Incoming } from '../http/incoming.ts';
import { receiveReport, type ReportResponse } from '../receive/receive-report.ts';
import type { Services } from '../services.ts';
import type { ForwardedReport, ForwardedResponse } from './report-forwarder.ts';
import { PartReader, packPart, type PeerPart } from './peer-framing.ts';

/**
 * Handles the reports of a batch that another server has forwarded. Writes each response as soon as it is known, and
 * all that are known in one iteration of the event loop together.
 */
export async function landReports(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reader = new PartReader<ForwardedReport>();
  let known: Buffer[] = [];
  let count = 0;
  let unanswered = 0;
  let isRead = false;
  const flush = (): void => {
    response.write(Buffer.concat(known));
    known = [];
    if (isRead && unanswered === 0) response.end();
  };
  const answer = (index: number, { status, headers, body }: ReportResponse): void => {
    unanswered--;
    if (known.length === 0) setImmediate(flush);
    const bytes = Buffer.from(body);
    const head: ForwardedResponse = { index, status, headers: { ...headers, 'content-length': bytes.length } };
    known.push(packPart(head, bytes));
  };
  response.writeHead(200, { 'content-type': 'application/octet-stream' });
  try {
    for await (const piece of request) {
      for (const part of reader.push(piece as Buffer)) {
        const index = count++;
        unanswered++;
        void receiveReport(services, incomingOfPart(part)).then((received) => answer(index, received));
      }
    }
    isRead = true;
    if (unanswered === 0 && known.length === 0) response.end();
  } catch {
    // The server that has sent it is gone. What it has sent is handled.
    response.destroy();
  }
}

function incomingOfPart({ head: { client, headers }, body }: PeerPart<ForwardedReport>): Incoming {
  return {
    header(name) {
      const value = headers[name];
      return value === undefined ? null : String(value);
    },
    body() {
      const stream = new Readable({ read: () => undefined });
      stream.push(body);
      stream.push(null);
      return stream;
    },
    socketAddress: () => client,
  };
}
