import type { Facets, ListedSourceMap, Page, PositionResolution } from '@service/protocol';
import { debugIdOfScript, findMapReference, uploadCommand } from '@service/source-maps';
import { explainFrame } from '../explain-frame.ts';
import { ok, problem, unknown, withoutPage, type Check, type DoctorContext } from './check.ts';
import { isPublicMap, type PageScript } from './read-page.ts';

/** The maximum number of releases that are checked. */
const maxReleases = 3;

/** Checks that the release of `--release`, or else the newest releases of the reports, have source maps. */
export const checkReleases: Check = async ({ api, project, release }) => {
  const path = `/projects/${project.id}`;
  const { releases: reported } = await api.call<Facets>('GET', `${path}/facets`);
  const all = await api.call<Page<ListedSourceMap>>('GET', `${path}/source-maps`, { query: { size: 100 } });
  const link = `${api.endpoint}/projects/${project.id}/source-maps`;
  const releases = release === null ? reported.slice(0, maxReleases) : [release];
  if (all.total === 0)
    return problem(
      'releases',
      'The project has no source maps: the stacks of minified scripts are not readable.',
      `Run in the build: ${uploadCommand('DIR', releases[0] ?? 'RELEASE')}`,
      link,
    );
  if (releases.length === 0)
    return unknown(
      'releases',
      'No report has a release yet.',
      'Set SERVICE_RELEASE in the build if it uses the bundler plugin, or else release in init()',
    );
  const missing: string[] = [];
  for (const one of releases) {
    const found = await api.call<Page<ListedSourceMap>>('GET', `${path}/source-maps`, {
      query: { release: one, size: 1 },
    });
    if (found.total === 0) missing.push(one);
  }
  if (missing.length === 0) return ok('releases', `There are source maps of ${releases.join(', ')}.`);
  if (all.items.some(({ debug_id }) => debug_id !== null))
    return unknown(
      'releases',
      `No source maps have the release ${missing.join(', ')}. Scripts with debug ids need none.`,
    );
  return problem(
    'releases',
    `The SDK reports the release ${missing.join(', ')}, which has no source maps.`,
    `Run in its build: ${uploadCommand('DIR', missing[0])}`,
    link,
  );
};

/** Checks for each minified script of the page that the server has its map. */
export const checkScripts: Check = async (context) => {
  const { page } = context;
  if (!page) return withoutPage('scripts', context);
  const scripts = page.scripts.filter((script) => needsMap(script, page.url));
  if (scripts.length === 0) return unknown('scripts', `No minified script is on ${page.url}.`);
  const link = `${context.api.endpoint}/projects/${context.project.id}/source-maps`;
  for (const script of scripts) {
    const resolution = await resolveEnd(context, script);
    const { cause, fix } = explainFrame(resolution);
    // The end of a script may be code of the bundler, which has no source.
    if (fix === null || resolution.result === 'position_outside_map') continue;
    return problem('scripts', `${nameOf(script)}: ${cause}`, fix, link);
  }
  const withId = scripts.filter(({ code }) => debugIdOfScript(code) !== null).length;
  const unread = page.unread.map(({ url, reason }) => ` ${url} cannot be read (${reason}).`).join('');
  const count = scripts.length === 1 ? '1 script' : `${scripts.length} scripts`;
  return ok('scripts', `${count}, ${withId} with debug ids: none lacks a source map.${unread}`);
};

/** A line of this length is not written by hand. */
const minifiedLineChars = 500;

/** Returns whether a script is minified code of the app. A script of another origin is one if it has a debug id. */
function needsMap({ url, code }: PageScript, page: string): boolean {
  if (debugIdOfScript(code) !== null) return true;
  const isOwn = new URL(url).origin === new URL(page).origin;
  return isOwn && code.split('\n').some((line) => line.length >= minifiedLineChars);
}

/** Resolves the last position of the code of a script. Comments after it are skipped. */
async function resolveEnd(
  { api, project, release, newestRelease }: DoctorContext,
  { url, code }: PageScript,
): Promise<PositionResolution> {
  const lines = code.replace(/(?:\s*\/\/[#@][^\n]*)*\s*$/, '').split('\n');
  return api.call<PositionResolution>('GET', `/projects/${project.id}/resolution`, {
    query: {
      file: url,
      line: lines.length,
      column: Math.max(1, lines.at(-1)?.length ?? 1),
      release: release ?? newestRelease ?? undefined,
      debug_id: debugIdOfScript(code) ?? undefined,
    },
  });
}

/** Checks that visitors can't download the sources. */
export const checkPublicMaps: Check = async ({ page, unreadPage }) => {
  if (!page) return withoutPage('public maps', { unreadPage });
  for (const script of page.scripts) {
    const reference = script.mapHeader ?? findMapReference(script.code)?.url ?? null;
    const isInline = reference?.startsWith('data:');
    const urls = isInline ? [] : [reference, `${nameOf(script)}.map`].flatMap((name) => absolute(name, script.url));
    for (const url of isInline ? [script.url] : urls)
      if (isInline || (await isPublicMap(url)))
        return problem(
          'public maps',
          `The sources at ${url} are public.`,
          'Build with hidden source maps, and remove the .map files after the upload (the bundler plugin does both).',
        );
  }
  return ok('public maps', 'No source map of the page is public.');
};

function nameOf({ url }: PageScript): string {
  return new URL(url).pathname.split('/').at(-1) ?? url;
}

function absolute(name: string | null, base: string): string[] {
  return name !== null && URL.canParse(name, base) ? [new URL(name, base).href] : [];
}
