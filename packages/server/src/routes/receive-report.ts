import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiPrefix, limits, paths } from '@service/protocol';
import { commonHeaders, type AnswerHeaders } from '../http/answer-headers.ts';
import { readJson } from '../http/body.ts';
import { corsHeaders } from '../http/cors.ts';
import { incomingFrom, type Incoming } from '../http/incoming.ts';
import { toProblemResponse } from '../http/problem-response.ts';
import { ingest } from '../ingest/ingest.ts';
import type { Services } from '../services.ts';

export const reportPath = apiPrefix + paths.errors;

export interface ReportAnswer {
  status: number;
  headers: AnswerHeaders;
  /** JSON. */
  body: string;
}

/** Takes a report in and says what to answer. Never rejects: a problem is an answer too, which the page can read. */
export async function receiveReport(services: Services, request: Incoming): Promise<ReportAnswer> {
  const headers = commonHeaders(request.header('x-request-id'), reportPath);
  headers['content-type'] = 'application/json';
  // For caches: another origin gets another answer.
  headers.vary = 'Origin';
  try {
    const origin = request.header('origin');
    if (origin !== null) Object.assign(headers, corsHeaders(services, origin));
    const json = await readJson(request, limits.reportBodyBytes);
    const accepted = await ingest(services, { json, userAgent: userAgentOf(request), receivedAt: services.now() });
    services.requestCounters.reportsAccepted++;
    return { status: 200, headers, body: JSON.stringify(accepted) };
  } catch (error) {
    const problem = toProblemResponse(error, headers['x-request-id'] ?? '', services.log);
    services.requestCounters.refuseReport(problem.body.code);
    return {
      status: problem.status,
      headers: Object.assign(headers, problem.headers),
      body: JSON.stringify(problem.body),
    };
  }
}

/**
 * Receives reports from Node without the framework in between: making a Request of the request and Node's answer of a
 * Response costs as much as storing the report.
 */
export function reportListener(services: Services): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => void answerReport(services, request, response);
}

async function answerReport(services: Services, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { status, headers, body } = await receiveReport(services, incomingFrom(request));
    headers['content-length'] = String(Buffer.byteLength(body));
    response.writeHead(status, headers).end(body);
  } catch (error) {
    // Nobody stands above this: what was thrown on would end the process.
    services.log.error({ err: error }, 'a report could not be answered');
    response.destroy();
  }
}

/** A browser's report may leave its User-Agent to the request; a program's own would say nothing of the error. */
function userAgentOf(request: Incoming): string | null {
  return request.header('origin') === null ? null : request.header('user-agent');
}
