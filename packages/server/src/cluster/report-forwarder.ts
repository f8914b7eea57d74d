import { request as sendRequest, Agent, type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import type { Peer } from '../storage/postgres/postgres-lease.ts';
import { isOutcomeUnknown, type Forwarded, type ForwardedRequest } from './forwarder.ts';
import { connectionTo, endToEndHeaders, notHolderHeader, peerClientHeader, peerSecretHeader } from './peer-headers.ts';
import { PartReader, packPart } from './peer-framing.ts';

/** The path of a batch of reports. Only servers of the cluster use it. */
export const reportBatchPath = '/cluster/reports';

/** The head of a part that holds a report. */
export interface ForwardedReport {
  client: string;
  headers: Record<string, string | string[] | undefined>;
}

/** The head of a part that holds a response. */
export interface ForwardedResponse {
  /** The index of the report in its batch. */
  index: number;
  status: number;
  headers: OutgoingHttpHeaders;
}

/** The maximum size of a batch. Further reports of the iteration go into the next batch. */
const maxBatchBytes = 512 * 1024;
const maxIdleConnections = 32;

/** A report whose body has been read. */
export type WholeReport = ForwardedRequest & { body: Buffer };

interface BatchedReport {
  report: WholeReport;
  settle(outcome: Forwarded): void;
}

/** Reports that are sent together. */
interface ReportBatch {
  to: Peer;
  reports: BatchedReport[];
  parts: Buffer[];
  bytes: number;
}

/**
 * Forwards reports to the server that holds the log: those that arrive in one iteration of the event loop in one
 * request, because a separate request costs more than handling the report. Each client gets its response as soon as the
 * holder has sent it, so a slow report does not delay the others.
 */
export class ReportForwarder {
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: maxIdleConnections, scheduling: 'lifo' });
  readonly #pending = new Map<ClientRequest, string>();
  /** The batch that is collected in this iteration of the event loop. */
  #batch: ReportBatch | null = null;

  /** Sends a report and passes the response on. Never rejects. */
  forward(report: WholeReport, to: Peer): Promise<Forwarded> {
    return new Promise((settle) => {
      const { request, client, body } = report;
      const head: ForwardedReport = {
        client,
        headers: { ...endToEndHeaders(request), 'content-length': String(body.length) },
      };
      const part = packPart(head, body);
      const batch = this.#batchFor(to, part.length);
      batch.reports.push({ report, settle });
      batch.parts.push(part);
      batch.bytes += part.length;
    });
  }

  /** Ends all batches that are pending at servers other than `peerId`: those servers no longer hold the log. */
  abortExcept(peerId: string | null): void {
    for (const [sent, id] of this.#pending) if (id !== peerId) sent.destroy(new Error('Another server holds the log.'));
  }

  close(): void {
    this.abortExcept(null);
    this.#agent.destroy();
  }

  #batchFor(to: Peer, bytes: number): ReportBatch {
    const current = this.#batch;
    if (current && current.to.id === to.id && current.bytes + bytes <= maxBatchBytes) return current;
    const batch: ReportBatch = { to, reports: [], parts: [], bytes: 0 };
    this.#batch = batch;
    setImmediate(() => {
      if (this.#batch === batch) this.#batch = null;
      this.#send(batch);
    });
    return batch;
  }

  #send({ to, reports, parts, bytes }: ReportBatch): void {
    const sent = sendRequest({
      agent: this.#agent,
      ...connectionTo(to),
      method: 'POST',
      path: reportBatchPath,
      headers: { [peerSecretHeader]: to.secret, [peerClientHeader]: '-', 'content-length': bytes },
    });
    this.#pending.set(sent, to.id);
    const unanswered = new Map(reports.entries());
    let isConnected = false;
    const end = (outcome: Forwarded): void => {
      this.#pending.delete(sent);
      for (const { settle } of unanswered.values()) settle(outcome);
      unanswered.clear();
    };
    sent.once('socket', (socket) => {
      if (!socket.connecting) isConnected = true;
      else socket.once('connect', () => (isConnected = true));
    });
    sent.on('error', () => end(isConnected ? 'failed' : 'unhandled'));
    sent.once('response', (received) => {
      if (received.statusCode !== 200) {
        received.resume();
        end(received.headers[notHolderHeader] === undefined ? 'failed' : 'unhandled');
        return;
      }
      const reader = new PartReader<ForwardedResponse>();
      received.on('data', (piece: Buffer) => {
        try {
          for (const { head, body } of reader.push(piece)) {
            const waiting = unanswered.get(head.index);
            if (!waiting) continue;
            unanswered.delete(head.index);
            if (isOutcomeUnknown(waiting.report, head.status)) {
              waiting.settle('unknown');
              continue;
            }
            passResponse(waiting.report, head, body);
            waiting.settle('done');
          }
        } catch (error) {
          sent.destroy(error as Error);
        }
      });
      received.once('error', () => end('failed'));
      received.once('close', () => end('failed'));
    });
    sent.end(Buffer.concat(parts, bytes));
  }
}

function passResponse({ response }: WholeReport, { status, headers }: ForwardedResponse, body: Buffer): void {
  // The client may have left. Node.js writes the headers and a string at once, but the headers and a buffer separately.
  if (!response.destroyed) response.writeHead(status, headers).end(body.toString());
}
