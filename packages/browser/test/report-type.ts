import type { ErrorReport } from '@service/protocol';
import type { Report } from '../src/index.ts';

// The SDK declares its own report type, so that its published types need no other package. The server must accept it.
export const isAccepted: (report: Report) => ErrorReport = (report) => report;
