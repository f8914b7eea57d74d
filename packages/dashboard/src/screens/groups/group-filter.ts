import type { ErrorGroup, Facets, GroupQuery } from '@service/protocol';

/** A field by which the list is filtered, in the search box as `prefix:value`. */
interface FilterField {
  /** The parameter of `GET /errors`. */
  name: keyof GroupQuery;
  /** The spellings that the search box accepts. `formatFilter` writes the first one. */
  prefixes: readonly [string, ...string[]];
  title: string;
  /** The list of values that are offered in a menu. Without it, the field is only in the search box. */
  facet?: keyof Facets;
  /** Returns the values of a group, or some of them. */
  valuesOf?: (group: ErrorGroup) => readonly (string | null)[];
  /** Set if `valuesOf` returns all values. Otherwise only the server can decide whether a group matches. */
  hasAllValues?: true;
}

const fields = [
  {
    name: 'environment',
    prefixes: ['env', 'environment'],
    title: 'Environment',
    facet: 'environments',
    valuesOf: ({ environments }) => environments,
    hasAllValues: true,
  },
  {
    name: 'release',
    prefixes: ['release'],
    title: 'Release',
    facet: 'releases',
    valuesOf: ({ first_release, last_release }) => [first_release, last_release],
  },
] as const satisfies readonly FilterField[];

type FilterName = (typeof fields)[number]['name'];

/** The search box, the menus, the requests and the matching of live updates are derived from this table. */
export const filterFields: readonly (FilterField & { name: FilterName })[] = fields;

/** The filters in the text of the search box: `is:resolved env:production cart total`. An empty value filters nothing. */
export type GroupFilter = { [Name in FilterName]?: string } & {
  status: 'active' | 'resolved' | 'all';
  /** The rest of the text, which is searched for. */
  words: string;
};

const maxSearchChars = 200;

/**
 * Parses the text of the search box. A value with spaces is quoted: `release:"next week"`. If a filter is repeated, the
 * last one wins.
 */
export function parseFilter(text: string): GroupFilter {
  const filter: GroupFilter = { status: 'active', words: '' };
  const words: string[] = [];
  for (const [piece, prefix = '', quoted, bare] of text.matchAll(/(?:([a-z]+):(?:"([^"]*)"?|(\S+)))|\S+/gi)) {
    const value = quoted ?? bare ?? '';
    const lowerCase = prefix.toLowerCase();
    const field = filterFields.find(({ prefixes }) => prefixes.includes(lowerCase));
    if (field) filter[field.name] = value;
    else if (lowerCase === 'is' && isStatus(value)) filter.status = value;
    else words.push(piece);
  }
  return { ...filter, words: words.join(' ') };
}

/** Returns the shortest text that parses to this filter. */
export function formatFilter(filter: GroupFilter): string {
  const values = filterFields.map(
    ({ name, prefixes: [prefix] }) => filter[name] && `${prefix}:${quoteValue(filter[name])}`,
  );
  return [filter.status !== 'active' && `is:${filter.status}`, ...values, filter.words].filter(Boolean).join(' ');
}

/** Returns the filters as parameters of `GET /errors`. A parameter that does not filter is empty. */
export function filterParams({ status, words, ...values }: GroupFilter): Record<string, string> {
  return { ...values, search: words.slice(0, maxSearchChars), status: status === 'all' ? '' : status };
}

/** Returns whether a group matches a filter, or null if only the server can decide. */
export function matches(group: ErrorGroup, filter: GroupFilter, projectId: number | null): boolean | null {
  if (projectId !== null && group.project_id !== projectId) return false;
  if (filter.status !== 'all' && group.status !== filter.status) return false;
  let isDecided = filter.words === '';
  for (const { name, valuesOf, hasAllValues } of filterFields) {
    const value = filter[name];
    if (!value) continue;
    if (!hasAllValues) isDecided = false;
    else if (!valuesOf?.(group).includes(value)) return false;
  }
  return isDecided || null;
}

const isStatus = (value: string): value is GroupFilter['status'] => /^(active|resolved|all)$/.test(value);

const quoteValue = (value: string): string => (/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value);
