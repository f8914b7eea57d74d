import { startDefaultClient } from './default-client.ts';
import { instrumentGlobalErrors } from './instruments/global-errors.ts';
import { instrumentPageExit } from './instruments/page-exit.ts';
import { instrumentUnhandledRejections } from './instruments/unhandled-rejections.ts';
import type { ErrorsOptions } from './options.ts';
import { scrubMember } from './scrub.ts';
import { createSimpleGate } from './simple-gate.ts';
import { handleRejection, sendOnce } from './transport.ts';

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
export type { Level, Report } from './report.ts';
export type { CaptureContext, Scope, Tags, TagValue, User } from './scope.ts';

/**
 * Starts to report uncaught errors. This entry has no breadcrumbs, no filters and no retries. Call it at the very start
 * of the entry point: earlier errors are lost. Only the first call has an effect, until `close()`. Never throws.
 */
export function init(options: ErrorsOptions): void {
  startDefaultClient(options, {
    install(client) {
      instrumentGlobalErrors(client);
      instrumentUnhandledRejections(client);
      instrumentPageExit(client);
    },
    describeValue: (value) => (typeof value === 'object' ? JSON.stringify(value, scrubMember) : String(value)),
    createGate: createSimpleGate,
    copyReport: (report) => JSON.parse(JSON.stringify(report, scrubMember)),
    createSend: () => async (client, report) => handleRejection(client, (await sendOnce(client, report)).status),
  });
}
