import type { ErrorReport as AcceptedReport } from '@service/protocol';
import type { ErrorReport } from '../src/index.ts';

// The SDK declares its own report type, so that its published types need no other package. The server must accept it.
export const isAccepted: (report: ErrorReport) => AcceptedReport = (report) => report;
