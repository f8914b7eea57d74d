import type { ExplanationStatus } from '@service/protocol';

/** The explanation of a group. `id` is the id of the group. */
export interface SummaryRecord {
  id: number;
  project_id: number;
  status: ExplanationStatus;
  requested_at: string;
  /** The team and the month, as `monthOf` numbers it, that get the unit of quota back if the explanation fails. */
  team_id: number;
  month: number;
  /** Attempts since the request, and failed attempts. */
  begun: number;
  failed: number;
  /** When the last attempt began: milliseconds. Absent: not begun, or begun by an older server. */
  begun_at?: number;
  /** The last explanation that was completed. */
  summary: string | null;
  model: string | null;
  generated_at: string | null;
  /** The last request to the provider: gzip, base64. */
  sent: string | null;
  /** Why the last attempt failed. */
  error: string | null;
}
