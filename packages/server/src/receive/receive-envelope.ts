import { limits } from '@service/protocol';
import { corsHeaders } from '../http/cors.ts';
import type { Incoming } from '../http/incoming.ts';
import { toProblemResponse } from '../http/problem-response.ts';
import { receivePieces, type PiecesReader } from '../http/receive-pieces.ts';
import { commonHeaders, type ResponseHeaders } from '../http/response-headers.ts';
import { ProblemError } from '../problem.ts';
import { EnvelopeItems } from '../sentry-intake/envelope-items.ts';
import { EnvelopeReader } from '../sentry-intake/envelope-reader.ts';
import { findSentryProject } from '../sentry-intake/find-sentry-project.ts';
import { keyOfDsn, readSentKey } from '../sentry-intake/sentry-key.ts';
import { readStoreBody } from '../sentry-intake/read-store-body.ts';
import { notSupportedRateLimit, rateLimitHeaders } from '../sentry-intake/rate-limit-headers.ts';
import { receiveItems } from '../sentry-intake/receive-items.ts';
import type { SentryTarget } from '../sentry-intake/sentry-target.ts';
import { invalidApiKey } from '../ingest/record-report.ts';
import type { Services } from '../services.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { userAgentOf, type ReportResponse } from './receive-report.ts';

/** The documented limits of Sentry. Items that are not stored are skipped, so an envelope may be large. */
const envelopeLimits = { sentBytes: 20 * 1024 * 1024, decodedBytes: 100 * 1024 * 1024 };
const eventLimits = { sentBytes: limits.reportBodyBytes, decodedBytes: limits.reportBodyBytes };

/**
 * Receives what a Sentry SDK sends and resolves with the response. Never rejects. Items that are not stored are no
 * error: the response tells the SDK not to send more of them.
 */
export async function receiveEnvelope(
  services: Services,
  request: Incoming,
  target: SentryTarget,
): Promise<ReportResponse> {
  const headers = commonHeaders(request.header('x-request-id'), '/api/');
  headers['content-type'] = 'application/json';
  headers.vary = 'Origin';
  try {
    const origin = request.header('origin');
    if (origin !== null) Object.assign(headers, sentryCorsHeaders(services, origin));
    const { id, hasDropped } = await receive(services, request, target);
    // Sent only if items were dropped: after any response with this header, SDKs that keep events while offline send
    // only one a minute.
    if (hasDropped) headers['x-sentry-rate-limits'] = notSupportedRateLimit;
    return { status: 200, headers, body: JSON.stringify(id === null ? {} : { id }) };
  } catch (error) {
    return rejection(services, headers, error);
  }
}

/** Returns CORS headers. SDKs in a page must be able to read a rejection: otherwise they send nothing for a minute. */
export function sentryCorsHeaders(services: Services, origin: string | null): ResponseHeaders {
  const headers = corsHeaders(services, origin);
  if (origin !== null)
    headers['access-control-expose-headers'] = 'X-Sentry-Rate-Limits, Retry-After, X-Sentry-Error, X-Request-Id';
  return headers;
}

interface Received {
  /** The id of the event, or null without an event. */
  id: string | null;
  /** True if items were sent that are not stored. */
  hasDropped: boolean;
}

async function receive(services: Services, request: Incoming, target: SentryTarget): Promise<Received> {
  const { model } = services.store;
  const admit = (): ((bytes: number) => void) =>
    services.reportLimits.admit(request.socketAddress(), request.header('x-forwarded-for'));
  const countBytes = admit();
  const key = readSentKey({
    query: new URLSearchParams(target.query).get('sentry_key'),
    headers: [request.header('x-sentry-auth'), request.header('authorization')],
  });
  let project: ProjectRecord | null = key === null ? null : findSentryProject(model, target.projectId, key);
  const items = new EnvelopeItems((header) => {
    // A tunnel of the app forwards envelopes without any other key.
    project ??= findSentryProject(model, target.projectId, keyOfDsn(header.dsn) ?? '');
  });
  if (target.kind === 'store' && !project) throw invalidApiKey();
  const isEnvelope = target.kind === 'envelope';
  const reader = isEnvelope ? envelopeReader(items) : eventReader(items);
  const release = await receivePieces(request, isEnvelope ? envelopeLimits : eventLimits, reader);
  countBytes(reader.heldBytes);
  try {
    if (!project) throw invalidApiKey();
    const id = await receiveItems(services, items, {
      project,
      userAgent: userAgentOf(request),
      receivedAt: services.now(),
      countReport: admit,
    });
    return { id, hasDropped: items.dropped.size > 0 };
  } finally {
    release();
  }
}

/** Ignores an error after the first event: that event is stored, even if the rest of the envelope can't be read. */
function envelopeReader(items: EnvelopeItems): PiecesReader {
  const reader = new EnvelopeReader(items);
  let isBroken = false;
  const unlessEvent = (read: () => void): void => {
    try {
      read();
    } catch (error) {
      if (items.events.length === 0) throw error;
      isBroken = true;
    }
  };
  return {
    push: (piece) => unlessEvent(() => reader.push(piece)),
    end: () => unlessEvent(() => reader.end()),
    get heldBytes() {
      return items.heldBytes + reader.heldBytes;
    },
    get isDone() {
      return isBroken || reader.isDone;
    },
  };
}

/** The body is the event. `receivePieces` limits its size. */
function eventReader(items: EnvelopeItems): PiecesReader {
  const pieces: Buffer[] = [];
  let bytes = 0;
  return {
    push(piece) {
      pieces.push(piece);
      bytes += piece.length;
    },
    end: () => void items.events.push(readStoreBody(Buffer.concat(pieces, bytes))),
    get heldBytes() {
      return bytes;
    },
    isDone: false,
  };
}

function rejection(services: Services, headers: ResponseHeaders, error: unknown): ReportResponse {
  const rejected = isUnreadable(error) ? new ProblemError('bad_request', error.message) : error;
  const problem = toProblemResponse(rejected, headers['x-request-id'] ?? '', services.log);
  services.requestCounters.countRejectedReport(problem.body.code);
  Object.assign(headers, problem.headers, { 'x-sentry-error': problem.body.detail });
  if (problem.body.code === 'error_quota_exhausted')
    Object.assign(headers, rateLimitHeaders(Number(problem.headers['retry-after'] ?? 1)));
  return { status: problem.status, headers, body: JSON.stringify(problem.body) };
}

/** SDKs know 400 for anything that can't be read. */
function isUnreadable(error: unknown): error is ProblemError {
  return error instanceof ProblemError && (error.code === 'validation_failed' || error.code === 'malformed_json');
}
