import type { Accepted } from '@service/protocol';
import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import type { Services } from '../services.ts';
import { commonHeaders, setHeaders } from './answer-headers.ts';
import { corsHeaders } from './cors.ts';

/**
 * Answers a report in the shortest way there is: the headers of a success are a plain record from the first to the
 * last. Other answers build and merge Headers objects, which takes longer than deciding the report.
 * Throws `origin_not_allowed`; whatever is thrown is answered with the same headers, so that the page can read it.
 */
export async function answerReport(
  services: Services,
  event: H3Event,
  accept: () => Promise<Accepted>,
): Promise<Response> {
  const headers = commonHeaders(event);
  try {
    // For caches: another origin gets another answer.
    headers.vary = 'Origin';
    Object.assign(headers, corsHeaders(services, event));
    const accepted = await accept();
    headers['content-type'] = 'application/json';
    return new FastResponse(JSON.stringify(accepted), { headers });
  } catch (error) {
    setHeaders(event, headers);
    throw error;
  }
}
