import type { ErrorGroup } from '@service/protocol';

/** What the search box says: `is:resolved env:production cart total`. */
export interface GroupFilter {
  status: 'active' | 'resolved' | 'all';
  environment: string | null;
  release: string | null;
  /** All that is no filter. */
  words: string;
}

const names = { is: 'status', env: 'environment', environment: 'environment', release: 'release' } as const;

/** Reads the box. What has spaces stands in quotes: `release:"next week"`. Of a filter that stands twice the last counts. */
export function readFilter(text: string): GroupFilter {
  const filter: GroupFilter = { status: 'active', environment: null, release: null, words: '' };
  const words: string[] = [];
  for (const [piece, name, quoted, bare] of text.matchAll(/(?:([a-z]+):(?:"([^"]*)"?|(\S+)))|\S+/gi)) {
    const value = quoted ?? bare ?? '';
    const field = name === undefined ? undefined : names[name.toLowerCase() as keyof typeof names];
    if (field === 'status' && isStatus(value)) filter.status = value;
    else if (field !== undefined && field !== 'status') filter[field] = value;
    else words.push(piece);
  }
  return { ...filter, words: words.join(' ') };
}

/** The shortest text that reads as this filter. */
export function writeFilter({ status, environment, release, words }: GroupFilter): string {
  const pieces = [];
  if (status !== 'active') pieces.push(`is:${status}`);
  if (environment !== null) pieces.push(`env:${quote(environment)}`);
  if (release !== null) pieces.push(`release:${quote(release)}`);
  if (words !== '') pieces.push(words);
  return pieces.join(' ');
}

/** Whether a group belongs into a list; null: only the server can tell. */
export function matches(group: ErrorGroup, filter: GroupFilter, projectId: number | null): boolean | null {
  if (projectId !== null && group.project_id !== projectId) return false;
  if (filter.status !== 'all' && group.status !== filter.status) return false;
  if (filter.environment !== null && !group.environments.includes(filter.environment)) return false;
  return filter.release === null && filter.words === '' ? true : null;
}

const isStatus = (value: string): value is GroupFilter['status'] => /^(active|resolved|all)$/.test(value);

const quote = (value: string): string => (/[\s"]|^$/.test(value) ? `"${value.replaceAll('"', '')}"` : value);
