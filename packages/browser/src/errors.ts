import { attempt } from './attempt.ts';
import { isStopped, type Settings } from './client.ts';
import { startDefaultClient } from './default-client.ts';
import { createErrorsGate } from './errors-gate.ts';
import { instrumentGlobalErrors } from './instruments/global-errors.ts';
import { instrumentPageExit } from './instruments/page-exit.ts';
import { instrumentUnhandledRejections } from './instruments/unhandled-rejections.ts';
import type { ErrorsOptions } from './options.ts';
import { scrubMember } from './scrub.ts';
import { handleStatus, sendOnce } from './transport.ts';

export {
  captureException,
  captureMessage,
  close,
  flush,
  setMetadata,
  setTag,
  setTags,
  setUser,
  withScope,
} from './default-client.ts';
export type { ErrorsOptions as Options, ReportResponse, Transport } from './options.ts';
export type { ErrorReport, Level } from './report.ts';
export type { CaptureContext, Scope, Tags, TagValue, User } from './scope.ts';

/**
 * Starts to report uncaught errors. This entry has no breadcrumbs, no filters and no retries. Call it at the very start
 * of the entry point: earlier errors are lost. Only the first call has an effect, until `close()`. Never throws.
 */
export function init(options: ErrorsOptions): void {
  // Options that cannot be read are missing. Null and undefined mean the same for each of them.
  const settings = { ...attempt(() => ({ ...options })) } as Settings;
  startDefaultClient(settings, {
    instruments: [instrumentGlobalErrors, instrumentUnhandledRejections, instrumentPageExit],
    describeValue: (value) => (typeof value === 'object' ? JSON.stringify(value, scrubMember) : String(value)),
    copyReport: (report) => JSON.parse(JSON.stringify(report, scrubMember)),
    gate: createErrorsGate(),
    async send(client, report) {
      if (!isStopped(client)) handleStatus(client, (await sendOnce(client, report)).status);
    },
  });
}
