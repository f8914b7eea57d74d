import type { ErrorReport } from '@service/protocol';
import type { Report } from '../src/index.ts';

// The SDK spells its report out, so that the published types need nothing else. It must stay one the server takes.
export const isAccepted: (report: Report) => ErrorReport = (report) => report;
