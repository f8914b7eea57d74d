import type { ErrorGroup } from '@service/protocol';

/** The filters in the text of the search box: `is:resolved env:production cart total`. */
export interface GroupFilter {
  status: 'active' | 'resolved' | 'all';
  environment: string | null;
  release: string | null;
  /** The rest of the text, which is searched for. */
  words: string;
}

const fieldNames = { is: 'status', env: 'environment', environment: 'environment', release: 'release' } as const;

/**
 * Parses the text of the search box. A value with spaces is quoted: `release:"next week"`. If a filter is repeated, the
 * last one wins.
 */
export function parseFilter(text: string): GroupFilter {
  const filter: GroupFilter = { status: 'active', environment: null, release: null, words: '' };
  const words: string[] = [];
  for (const [piece, name, quoted, bare] of text.matchAll(/(?:([a-z]+):(?:"([^"]*)"?|(\S+)))|\S+/gi)) {
    const value = quoted ?? bare ?? '';
    const field = name === undefined ? undefined : fieldNames[name.toLowerCase() as keyof typeof fieldNames];
    if (field === 'status' && isStatus(value)) filter.status = value;
    else if (field !== undefined && field !== 'status') filter[field] = value;
    else words.push(piece);
  }
  return { ...filter, words: words.join(' ') };
}

/** Returns the shortest text that parses to this filter. */
export function formatFilter({ status, environment, release, words }: GroupFilter): string {
  const pieces = [];
  if (status !== 'active') pieces.push(`is:${status}`);
  if (environment !== null) pieces.push(`env:${quote(environment)}`);
  if (release !== null) pieces.push(`release:${quote(release)}`);
  if (words !== '') pieces.push(words);
  return pieces.join(' ');
}

/** Returns whether a group matches a filter, or null if only the server can decide. */
export function matches(group: ErrorGroup, filter: GroupFilter, projectId: number | null): boolean | null {
  if (projectId !== null && group.project_id !== projectId) return false;
  if (filter.status !== 'all' && group.status !== filter.status) return false;
  if (filter.environment !== null && !group.environments.includes(filter.environment)) return false;
  return filter.release === null && filter.words === '' ? true : null;
}

const isStatus = (value: string): value is GroupFilter['status'] => /^(active|resolved|all)$/.test(value);

const quote = (value: string): string => (/[\s"]|^$/.test(value) ? `"${value.replaceAll('"', '')}"` : value);
