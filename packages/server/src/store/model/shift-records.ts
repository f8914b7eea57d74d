import type { Records, TableName, Tables } from '../records/tables.ts';
import type { Table } from '../records/table.ts';
import { shiftTime, type TimeShift } from '../records/time-shift.ts';

/** The times of records: milliseconds, or texts in ISO 8601. The ends of links and tokens stay as promised. */
const recordTimes: { readonly [Name in TableName]?: readonly (keyof Records[Name])[] } = {
  teams: ['created_at', 'plan_set_at'],
  users: ['created_at'],
  personal_tokens: ['created_at'],
  projects: ['created_at'],
  source_maps: ['created_at', 'last_used_at'],
  merges: ['merged_at'],
  stale_culprits: ['due_at'],
  summaries: ['requested_at', 'begun_at', 'generated_at'],
  message_hours: ['began_at'],
  outbox: ['at', 'due_at'],
  mails: ['at', 'due_at'],
  payments: ['created_at'],
};

/** Corrects the times of records that were written while the clock was wrong. */
export function shiftRecords(tables: Tables, shift: TimeShift): void {
  for (const [name, fields] of Object.entries(recordTimes)) {
    const table = tables[name as TableName] as unknown as Table<{ id: number | string }>;
    for (const row of table.values()) {
      const changed = fields.flatMap((field) => changedField(row as unknown as Record<string, unknown>, field, shift));
      if (changed.length > 0) table.put({ ...row, ...Object.fromEntries(changed) });
    }
  }
  shiftSessions(tables, shift);
  shiftMessageHours(tables, shift);
}

function changedField(row: Record<string, unknown>, field: string, shift: TimeShift): [string, unknown][] {
  const value = row[field];
  if (typeof value !== 'number' && typeof value !== 'string') return [];
  const at = typeof value === 'number' ? value : Date.parse(value);
  const shifted = shiftTime(at, shift);
  return shifted === at || Number.isNaN(at)
    ? []
    : [[field, typeof value === 'number' ? shifted : new Date(shifted).toISOString()]];
}

/** Moves the end of sessions, too: one that began while the clock was wrong must not last longer than others. */
function shiftSessions({ sessions }: Tables, shift: TimeShift): void {
  for (const session of sessions.values()) {
    if (Date.parse(session.created_at) < shift.from) continue;
    const moved = (at: string): string => new Date(Date.parse(at) + shift.by).toISOString();
    sessions.put({ ...session, created_at: moved(session.created_at), expires_at: moved(session.expires_at) });
  }
}

function shiftMessageHours({ message_hours }: Tables, shift: TimeShift): void {
  for (const hour of message_hours.values()) {
    if (!hour.recent?.some(([at]) => at >= shift.from)) continue;
    message_hours.put({ ...hour, recent: hour.recent.map(([at, count]) => [shiftTime(at, shift), count]) });
  }
}
