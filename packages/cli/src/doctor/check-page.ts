import type { Project, ProjectDetails } from '@service/protocol';
import { ApiError, type ApiClient } from '@service/api-client';
import { ok, problem, unknown, withoutPage, type Check, type CheckResult, type DoctorContext } from './check.ts';
import type { PageFacts } from './read-page.ts';

/** Matches the path of reports, which each build of the SDK contains, and the package name, as in an import. */
const sdkMarker = /\/api\/v1\/errors|@service\/browser/;
const apiKeyForm = /\bpk_[\w-]{32,197}(?![\w-])/g;
/** Stripe and Clerk have keys of the same form. */
const foreignKey = /^pk_(?:live|test)_/;
const dsnForm = /\bhttps?:\/\/[\w-]{1,200}@([\w.:-]{1,250})(?:\/[\w.~-]{1,100}){0,9}\/(\d{1,15})\b/g;

/** A key or a DSN in the scripts of a page, with the name of its project, or null if the team has no such project. */
interface Credential {
  text: string;
  option: 'apiKey' | 'dsn';
  project: Project | null;
}

/** Checks that the page loads an SDK, and that its scripts contain the key that is checked. */
export const checkPage: Check = async (context) => {
  const { page, unreadPage, project, apiKey } = context;
  if (unreadPage)
    return problem(
      'page',
      `${unreadPage.url} cannot be read (${unreadPage.reason}).`,
      'Give a page that this machine can open without signing in',
    );
  if (!page) return withoutPage('page', context);
  const credentials = await findCredentials(context, page);
  const hasSdk =
    credentials.some(({ option }) => option === 'dsn') || codeOf(page).some((code) => sdkMarker.test(code));
  if (!hasSdk) return withoutSdk(context, page);
  const checksOwnKey = apiKey === project.api_key;
  const isExpected = ({ text, option, project: owner }: Credential): boolean =>
    option === 'apiKey' ? text === apiKey : checksOwnKey && owner?.id === project.id;
  const expected = checksOwnKey ? `that of project ${project.name}` : 'that of --key';
  if (credentials.some(isExpected)) return ok('page', `The page loads an SDK, and its key is ${expected}.`);
  const [other] = credentials;
  if (other) return ofOtherProject(context, other, expected);
  return unknown(
    'page',
    'The page loads an SDK. Its key is not in the scripts that were read.',
    `Compare it with ${expected}: ${apiKey}`,
  );
};

function codeOf({ inlineScripts, scripts }: PageFacts): string[] {
  return [...inlineScripts, ...scripts.map(({ code }) => code)];
}

function withoutSdk({ api, project }: DoctorContext, { unread, skippedScripts }: PageFacts): CheckResult {
  const link = `${api.endpoint}/projects/${project.id}/start`;
  const reasons = unread.map(({ url, reason }) => ` ${url} cannot be read (${reason}).`);
  if (skippedScripts > 0) reasons.push(' The page has more scripts than are read.');
  if (reasons.length > 0)
    return { ...unknown('page', `No SDK is in the scripts that were read.${reasons.join('')}`), link };
  return problem('page', 'The page loads no SDK.', 'Call init() in a script of the page', link);
}

async function ofOtherProject(
  { api, project, apiKey }: DoctorContext,
  { text, option, project: owner }: Credential,
  expected: string,
): Promise<CheckResult> {
  const right = option === 'apiKey' ? apiKey : (await readProject(api, project.id))?.dsn;
  const use = `Use ${option}: '${right}' in init()`;
  const link = `${api.endpoint}/projects/${project.id}/settings`;
  if (!owner)
    return problem('page', `The page uses ${text}, which is of no project of the team, not ${expected}.`, use, link);
  return problem(
    'page',
    `The page uses the ${option === 'dsn' ? 'DSN' : 'key'} of project ${owner.name}, not ${expected}.`,
    `${use}, or choose the project with --project ${owner.id}`,
    link,
  );
}

/**
 * Returns the API keys in the tags and scripts of a page, and the DSNs of this server. Those of the checked project
 * come first, then those of other projects of the team.
 */
async function findCredentials({ api, project }: DoctorContext, page: PageFacts): Promise<Credential[]> {
  const texts = [...page.tags, ...codeOf(page)];
  const projects = await api.call<Project[]>('GET', '/projects');
  const found = new Map<string, Credential>();
  for (const text of texts) {
    for (const [key] of text.matchAll(apiKeyForm)) {
      const owner = projects.find(({ api_key }) => api_key === key) ?? null;
      if (owner || !foreignKey.test(key)) found.set(key, { text: key, option: 'apiKey', project: owner });
    }
    for (const [dsn, host, id] of text.matchAll(dsnForm)) {
      if (found.has(dsn) || host !== new URL(api.endpoint).host) continue;
      const owner = await readProject(api, Number(id));
      found.set(dsn, { text: dsn, option: 'dsn', project: owner && sameKey(owner.dsn, dsn) ? owner : null });
    }
  }
  const credentials = [...found.values()];
  // The page may have keys of other services too.
  return credentials.toSorted((left, right) => rank(left) - rank(right));

  function rank({ project: owner }: Credential): number {
    if (!owner) return 2;
    return owner.id === project.id ? 0 : 1;
  }
}

const sameKey = (left: string, right: string): boolean => new URL(left).username === new URL(right).username;

/** Returns null if the team has no such project. */
async function readProject(api: ApiClient, id: number): Promise<ProjectDetails | null> {
  try {
    return await api.call<ProjectDetails>('GET', `/projects/${id}`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
