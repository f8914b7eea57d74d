import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Incoming } from '../http/incoming.ts';
import { receiveReport, type ReportResponse } from '../receive/receive-report.ts';
import type { Services } from '../services.ts';
import type { ForwardedReport, ForwardedResponse } from './report-forwarder.ts';
import { PartReader, packPart, type PeerPart } from './peer-framing.ts';

/**
 * Handles the reports of a batch that another server has forwarded. Writes the responses that are known in one
 * iteration of the event loop together, and waits for no others.
 */
export async function handleReportBatch(
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
    // The connection has failed, or the bytes are no parts. The reports that were read are handled nevertheless.
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
