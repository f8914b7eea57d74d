import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiPrefix, limits, paths, type Accepted } from '@service/protocol';
import { commonHeaders, type ResponseHeaders } from '../http/response-headers.ts';
import { assertContentType, receiveBody } from '../http/body.ts';
import { corsHeaders } from '../http/cors.ts';
import { incomingFrom, type Incoming } from '../http/incoming.ts';
import { toProblemResponse } from '../http/problem-response.ts';
import { assertSender, findSender, inflationCheck } from '../ingest/find-sender.ts';
import type { ReportSender } from '../limits/report-queue.ts';
import { ingest } from '../ingest/ingest.ts';
import { jsonText, parseJson } from '../validation/json.ts';
import type { Services } from '../services.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';

export const reportPath = apiPrefix + paths.errors;

export interface ReportResponse {
  status: number;
  headers: ResponseHeaders;
  /** JSON. */
  body: string;
}

/** Receives a report and resolves with the response. Never rejects: a problem becomes a response. */
export async function receiveReport(services: Services, request: Incoming): Promise<ReportResponse> {
  const headers = commonHeaders(request.header('x-request-id'), reportPath);
  headers['content-type'] = 'application/json';
  // Caches must keep the responses of different origins apart.
  headers.vary = 'Origin';
  try {
    const origin = request.header('origin');
    if (origin !== null) Object.assign(headers, corsHeaders(services, origin));
    const accepted = await receiveBodyOfReport(services, request);
    services.requestCounters.reportsAccepted++;
    return { status: 200, headers, body: JSON.stringify(accepted) };
  } catch (error) {
    const problem = toProblemResponse(error, headers['x-request-id'] ?? '', services.log);
    services.requestCounters.countRejectedReport(problem.body.code);
    return {
      status: problem.status,
      headers: Object.assign(headers, problem.headers),
      body: JSON.stringify(problem.body),
    };
  }
}

/** Rejects a large body without a known API key before parsing it. Under overload, teams take turns. */
async function receiveBodyOfReport(services: Services, request: Incoming): Promise<Accepted> {
  const { model } = services.store;
  // A report needs no header. Browsers send no preflight for it then, so the origin is checked first.
  if (request.header('content-type') !== null) assertContentType(request, 'application/json');
  const client = [request.socketAddress(), request.header('x-forwarded-for')] as const;
  const countBytes = services.reportLimits.admit(...client);
  const { bytes, release } = await receiveBody(request, limits.reportBodyBytes, {
    onLarge: (chunks) => assertQueueRoom(services, request, chunks),
    onInflated: inflationCheck(model),
    client: () => services.reportLimits.clientOf(...client),
  });
  countBytes(bytes.length);
  try {
    assertSender(model, bytes);
    const findTeam = (): ReportSender => senderOf(findSender(model, bytes));
    return await services.reportQueue.run(findTeam, bytes.length, async () => {
      const text = jsonText(bytes);
      const json = { value: parseJson(text), text, bytes };
      return await ingest(services, { json, userAgent: userAgentOf(request), receivedAt: services.now() });
    });
  } finally {
    release();
  }
}

/**
 * Throws `overloaded` before the rest of a large report is received, if the waiting reports of its team leave no room
 * for it.
 */
function assertQueueRoom({ store, reportQueue }: Services, request: Incoming, chunks: readonly Buffer[]): void {
  const project = findSender(store.model, Buffer.concat(chunks));
  if (project) reportQueue.assertRoom(project.team_id, Number(request.header('content-length') ?? 0));
}

/** Returns the team and project whose turn a report waits for. Bodies without a known key count as one team. */
function senderOf(project: ProjectRecord | undefined): ReportSender {
  return { teamId: project?.team_id ?? 0, projectId: project?.id ?? 0 };
}

/**
 * Creates a handler that receives reports from Node without h3: converting the request and the response to web objects
 * costs as much as storing the report.
 */
export function createReportHandler(services: Services): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => void sendResponse(services, response, receiveReport(services, incomingFrom(request)));
}

/** Sends the response to a report that was received without h3. Never rejects. */
export async function sendResponse(
  services: Services,
  response: ServerResponse,
  received: Promise<ReportResponse>,
): Promise<void> {
  try {
    const { status, headers, body } = await received;
    headers['content-length'] = String(Buffer.byteLength(body));
    response.writeHead(status, headers).end(body);
  } catch (error) {
    // Nothing catches errors of this function: an uncaught one would end the process.
    services.log.error({ err: error }, 'a report could not be handled');
    response.destroy();
  }
}

/** Returns the User-Agent of a browser, for reports without one. That of a program says nothing about the error. */
export function userAgentOf(request: Incoming): string | null {
  return request.header('origin') === null ? null : request.header('user-agent');
}
