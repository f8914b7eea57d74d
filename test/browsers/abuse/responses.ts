import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import type { Sink } from '../sink.ts';
import { abuse, type Abuse } from './abuse-case.ts';
import { hurryRetries } from './hurry-retries.ts';

/** Returns a case whose server responds in an unusual way. The page captures one message. */
function withResponse(response: Sink['response'], given: Partial<Abuse>): ReturnType<typeof abuse> {
  return abuse({
    response,
    before: hurryRetries,
    script: async () => {
      ServiceSDK.captureMessage('sent');
      await ServiceSDK.flush(60_000);
    },
    ...given,
  });
}

const always =
  (status: number, headers?: Record<string, string>): Sink['response'] =>
  () => ({ status, ...(headers && { headers }) });

export const responses: SdkPromise = {
  promise: 'Whatever the server responds, the page is warned once, and a report is sent again only if that can help',
  cases: {
    // Only the first rejection is written to the console. The last error is still sent.
    ...Object.fromEntries(
      [400, 404, 413, 418, 422, 451].map((status) => [
        `${status}: one try for each report, one warning`,
        withResponse(always(status), { reports: ['sent'], warnings: [new RegExp(`rejected \\(${status}\\).*W13`)] }),
      ]),
    ),
    ...Object.fromEntries(
      [500, 503, 599].map((status) => [
        `${status}: two retries with the same event id, one warning`,
        withResponse(always(status), {
          reports: ['sent', 'sent', 'sent', 'the error at the end', 'the error at the end'],
          warnings: [new RegExp(`rejected \\(${status}\\).*W14`)],
          check: (reports) => expect(new Set(reports.map(({ event_id: id }) => id)).size).toBe(1),
        }),
      ]),
    ),
    '503 once, with Retry-After: the report arrives': withResponse(
      (index) => (index === 0 ? { status: 503, headers: { 'retry-after': '1' } } : { status: 200 }),
      { reports: ['sent', 'sent'] },
    ),
    'Retry-After that is no number, or negative': withResponse(
      (index) => ({
        status: index < 2 ? 503 : 200,
        headers: { 'retry-after': index ? '-5' : 'Fri, 31 Dec 1999 23:59:59 GMT' },
      }),
      { reports: ['sent', 'sent', 'sent'] },
    ),
    '401: nothing more is sent': withResponse(always(401), {
      reports: ['sent'],
      isSilent: true,
      warnings: [/Unknown apiKey \(401\).*W8/],
    }),
    '403: one warning about the allow-list': withResponse(always(403), {
      reports: ['sent'],
      warnings: [/allow-list.*W10/],
    }),
    'a redirect is not followed': withResponse(always(307, { location: 'https://other.test/' }), {
      reports: ['sent', 'sent', 'sent'],
      isSilent: true,
      warnings: [/W10/],
    }),
    'after three failures, sending pauses': withResponse(always(403), {
      script: async () => {
        for (let count = 0; count < 8; count++) {
          ServiceSDK.captureMessage(`sent ${count}`);
          await ServiceSDK.flush(60_000);
          // Attempts that fail at the same time count as one failure.
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      },
      reports: ['sent 0', 'sent 1', 'sent 2'],
      isSilent: true,
      warnings: [/W10/],
    }),
    'a response without a body': withResponse(always(204), { reports: ['sent'] }),
    'a retry that gets a 429 is the last request': withResponse((index) => ({ status: index === 0 ? 503 : 429 }), {
      reports: ['sent', 'sent'],
      isSilent: true,
      warnings: [/W9/],
    }),
  },
};
