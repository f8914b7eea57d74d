import type { ErrorGroup, FacetName, GroupFilterName } from '@service/protocol';

/** A field by which the list is filtered, in the search box as `prefix:value`. */
interface FilterField {
  /** The parameter of `GET /errors`. */
  name: GroupFilterName;
  /**
   * The spellings that the search box accepts. `formatFilter` writes the first one. A spelling takes precedence over a
   * custom tag of that name, which users then find only by `tag:name:value`.
   */
  prefixes: readonly [string, ...string[]];
  title: string;
  /** The list of values that are offered in a menu. Without it, the field is only in the search box. */
  facet?: FacetName;
  /** Returns the values of a group, or some of them. Leave it out if `ErrorGroup` has none of them. */
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

/**
 * The filters in the text of the search box: `is:resolved env:production plan:gold cart total`. An empty value filters
 * nothing.
 */
export type GroupFilter = { [Name in FilterName]?: string } & {
  status: 'active' | 'resolved' | 'all';
  /** Each as `NAME:VALUE`. A group must have all of them. */
  tags: readonly string[];
  /** The rest of the text, which is searched for. */
  words: string;
};

const maxSearchChars = 200;
const maxTags = 5;
/** The longest tag that the server accepts: name, colon, value and the mark of a truncated value. */
const maxTagChars = 277;

/** A quoted text, `name:value`, `name:"a value"`, or a word. */
const piecePattern = /"((?:[^"\\]|\\.)*)"?|(\p{L}[\p{L}\p{N}_.-]*):(?:"((?:[^"\\]|\\.)*)"?|(\S+))|\S+/gu;
const plainNamePattern = /^\p{L}[\p{L}\p{N}_.-]*$/u;
/** The prefix for a tag whose name is reserved or not a plain word: `tag:release:beta`. */
const tagPrefix = 'tag';

/**
 * Parses the text of the search box. A value with spaces is quoted: `release:"next week"`. A name that is no filter is
 * that of a tag: `plan:gold`. A quoted word is searched for: `"cart.ts:12"`. If a filter is repeated, the last one
 * wins; tags add up.
 */
export function parseFilter(text: string): GroupFilter {
  const filter: GroupFilter = { status: 'active', tags: [], words: '' };
  const words: string[] = [];
  const tags = new Set<string>();
  for (const [piece, quotedWord, prefix = '', quoted, bare = ''] of text.matchAll(piecePattern)) {
    const value = quoted === undefined ? bare : unescaped(quoted);
    const lowerCase = prefix.toLowerCase();
    const field = filterFields.find(({ prefixes }) => prefixes.includes(lowerCase));
    const tag = readTag(prefix, value);
    if (quotedWord !== undefined) words.push(unescaped(quotedWord));
    else if (field) filter[field.name] = value;
    else if (lowerCase === 'is' && isStatus(value)) filter.status = value;
    // What other trackers call it.
    else if (lowerCase === 'is' && value === 'unresolved') filter.status = 'active';
    else if (tag !== null && (tags.has(tag) || tags.size < maxTags)) tags.add(tag);
    else words.push(piece);
  }
  return { ...filter, tags: [...tags], words: words.join(' ') };
}

/** Returns the shortest text that parses to this filter. */
export function formatFilter({ status, tags, words, ...values }: GroupFilter): string {
  const fieldTexts = filterFields.map(
    ({ name, prefixes: [prefix] }) => values[name] && `${prefix}:${quoteValue(values[name])}`,
  );
  const wordTexts = words.split(/\s+/).map((word) => (parseFilter(word).words === word ? word : quote(word)));
  return [status !== 'active' && `is:${status}`, ...fieldTexts, ...tags.map(formatTag), ...wordTexts]
    .filter(Boolean)
    .join(' ');
}

/** Returns the filters as parameters of `GET /errors`. A parameter that does not filter is empty. */
export function filterParams({
  status,
  tags,
  words,
  ...values
}: GroupFilter): Record<string, string | readonly string[]> {
  return {
    ...values,
    ...(tags.length > 0 && { tag: tags }),
    search: words.slice(0, maxSearchChars),
    status: status === 'all' ? '' : status,
  };
}

/** Returns the address of all groups of a project, active and resolved, that match a filter. */
export function filteredListPath(projectId: number, filter: Partial<GroupFilter>): string {
  const q = formatFilter({ status: 'all', tags: [], words: '', ...filter });
  return `/?${new URLSearchParams({ q, project: `${projectId}` }).toString()}`;
}

/** Returns whether a group matches a filter, or null if only the server can decide. */
export function matches(group: ErrorGroup, filter: GroupFilter, projectId: number | null): boolean | null {
  if (projectId !== null && group.project_id !== projectId) return false;
  if (filter.status !== 'all' && group.status !== filter.status) return false;
  let isDecided = filter.words === '' && filter.tags.length === 0;
  for (const { name, valuesOf, hasAllValues } of filterFields) {
    const value = filter[name];
    if (!value) continue;
    if (!hasAllValues) isDecided = false;
    else if (!valuesOf?.(group).includes(value)) return false;
  }
  return isDecided || null;
}

const isStatus = (value: string): value is GroupFilter['status'] => /^(active|resolved|all)$/.test(value);

const isReserved = (name: string): boolean =>
  name === 'is' || name === tagPrefix || filterFields.some(({ prefixes }) => prefixes.includes(name));

/** Returns a tag as the API expects it, or null if the piece is not a tag: `https://shop.example` is a text. */
function readTag(prefix: string, value: string): string | null {
  const name = prefix.toLowerCase();
  const tag = name === tagPrefix ? value : `${prefix}:${value}`;
  const isTag = name === tagPrefix ? value.indexOf(':') > 0 : prefix !== '' && !isReserved(name);
  return isTag && !value.startsWith('//') && tag.length <= maxTagChars ? tag : null;
}

/** Returns a tag, given as `NAME:VALUE`, as the search box shows it. */
export function formatTag(tag: string): string {
  const name = tag.slice(0, tag.indexOf(':'));
  const value = tag.slice(name.length + 1);
  const isPlain = plainNamePattern.test(name) && !isReserved(name.toLowerCase()) && !value.startsWith('//');
  return isPlain ? `${name}:${quoteValue(value)}` : `${tagPrefix}:${quoteValue(tag)}`;
}

const quoteValue = (value: string): string => (value === '' || /^"|\s/.test(value) ? quote(value) : value);

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, '$1');
