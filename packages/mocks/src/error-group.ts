/** An error of the service: what the list of the dashboard shows. */
export interface ErrorGroup {
  error_group_id: number;
  fingerprint: string;
  status: 'active' | 'resolved';
  type: string | null;
  message: string;
  culprit: string | null;
  level: string;
  count: number;
  users: number;
  environments: string[];
  first_release: string | null;
  last_release: string | null;
  [field: string]: unknown;
}
