import type { ReportEntry } from '../../src/store/records/entry.ts';

/** A report that tells as little as one can. */
export function reportEntry(fields: Partial<ReportEntry> = {}): ReportEntry {
  return {
    kind: 'report',
    id: 7,
    project_id: 1,
    group_id: 1,
    at: 1_763_740_000_000,
    event_id: null,
    type: null,
    message: 'It broke',
    culprit: null,
    level: 'error',
    environment: null,
    release: null,
    url: null,
    browser: null,
    os: null,
    user_id: null,
    opens: null,
    reopens: false,
    body_bytes: 0,
    ...fields,
  };
}
