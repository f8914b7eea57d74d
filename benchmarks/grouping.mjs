import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openCorpus } from './grouping/corpus.mjs';
import { clients, openPythonCorpus, replayPython } from './grouping/python.mjs';
import { replay } from './grouping/replay.mjs';
import { scoreFrames } from './grouping/score-frames.mjs';
import { score } from './grouping/score-groups.mjs';
import { groupLikeSentry } from './grouping/sentry-like.mjs';
import { temporaryFolder } from './measure/temporary-folder.mjs';
import { progress } from './output/progress.mjs';
import { figure, table } from './output/table.mjs';
import { startService } from './servers/service.mjs';

export const title = 'Grouping: one bug, one group, across engines, releases and builds; source locations of frames';

export const defaults = {
  /** A folder of captured errors. */
  corpus: '',
  /** The seed of the order of reports. */
  seed: 1,
};

/** The Python apps that were written independently of the rules. */
const unseenApps = ['clinic', 'courier'];

/** @param {typeof defaults} options */
export async function run({ corpus: given, seed }) {
  const corpus = openCorpus(given);
  const service = await startService(temporaryFolder(), { env: { SERVICE_RETENTION_REPORTS: '100000' } });
  const withMaps = await replayAll(service, corpus, { withMaps: true, seed });
  const without = await replayAll(service, corpus, { withMaps: false, seed });
  const python = await replayPythonApps(service, given, seed);
  await service.stop();
  const scores = {
    'with maps': await scoreOf(corpus, groupsOf(withMaps)),
    'without maps': await scoreOf(corpus, groupsOf(without)),
    'like Sentry, with maps': await scoreOf(corpus, groupLikeSentry(corpus.records, withMaps)),
  };
  const frames = corpus.truth.length > 0 ? framesOf(corpus, withMaps) : {};
  return results(scores, frames, python);
}

/**
 * @param {import('./servers/service.mjs').Service} service
 * @param {import('./grouping/corpus.mjs').Corpus} corpus
 * @param {{ withMaps: boolean, seed: number }} options
 */
async function replayAll(service, corpus, options) {
  /** @type {Map<string, import('./grouping/replay.mjs').Stored>} */
  const stored = new Map();
  const projects = projectsOf(corpus.records);
  for (const [name, records] of projects) {
    progress(`${name}, ${options.withMaps ? 'with' : 'without'} maps: ${records.length} reports`);
    for (const [id, response] of await replay(service, corpus, records, options)) stored.set(id, response);
  }
  return stored;
}

/**
 * Returns the scores of each Python app of the corpus with each kind of client.
 *
 * @param {import('./servers/service.mjs').Service} service
 * @param {string} folder
 * @param {number} seed
 * @returns {Promise<Record<string, Record<string, import('./grouping/score-groups.mjs').Score>>>}
 */
async function replayPythonApps(service, folder, seed) {
  /** @type {Record<string, Record<string, import('./grouping/score-groups.mjs').Score>>} */
  const scores = {};
  for (const [app, records] of openPythonCorpus(folder)) {
    for (const client of Object.keys(clients)) {
      progress(`Python, ${app}, ${client}: ${records.length} reports`);
      const groups = await replayPython(service, records, { client, seed });
      scores[`Python, ${app}, ${client}`] = score(records, groups);
    }
  }
  return scores;
}

/** @param {readonly import('./grouping/corpus.mjs').CapturedError[]} records */
function projectsOf(records) {
  /** @type {Map<string, import('./grouping/corpus.mjs').CapturedError[]>} */
  const projects = new Map();
  for (const record of records) {
    const name = `${record.app}, ${record.bundler}`;
    const known = projects.get(name);
    if (known) known.push(record);
    else projects.set(name, [record]);
  }
  return projects;
}

/**
 * @param {Map<string, import('./grouping/replay.mjs').Stored>} stored
 * @returns {Record<string, string>}
 */
function groupsOf(stored) {
  return Object.fromEntries([...stored].map(([id, { groupId }]) => [id, String(groupId)]));
}

/**
 * Scores with the corpus' own scorer, if it has one.
 *
 * @param {import('./grouping/corpus.mjs').Corpus} corpus
 * @param {Record<string, string>} groups by the id of an error
 * @returns {Promise<Record<string, import('./grouping/score-groups.mjs').Score>>}
 */
async function scoreOf(corpus, groups) {
  const own = corpus.scorer('score.mjs');
  return own === null
    ? score(corpus.records, groups)
    : (await import(pathToFileURL(own).href)).score(corpus.records, groups);
}

/**
 * Returns the percentage of correct frames for each metric.
 *
 * @param {import('./grouping/corpus.mjs').Corpus} corpus
 * @param {Map<string, import('./grouping/replay.mjs').Stored>} stored
 * @returns {Record<string, number>}
 */
function framesOf(corpus, stored) {
  const resolved = Object.fromEntries(
    [...stored].map(([id, { frames }]) => [id, frames.filter(({ raw }) => raw.file?.includes('/assets/'))]),
  );
  const own = corpus.scorer('score-frames.mjs');
  if (own === null) return scoreFrames(corpus.truth, resolved);
  const file = join(temporaryFolder(), 'resolved.json');
  writeFileSync(file, JSON.stringify(resolved));
  const output = execFileSync(process.execPath, [own, file, corpus.folder], { encoding: 'utf8' });
  return Object.fromEntries(
    [...output.matchAll(/^(.*?) +([\d.]+) % /gm)].map(([, row = '', part]) => [row, Number(part)]),
  );
}

/**
 * @param {Record<'with maps' | 'without maps' | 'like Sentry, with maps', Record<string, import('./grouping/score-groups.mjs').Score>>} scores
 * @param {Record<string, number>} frames
 * @param {Record<string, Record<string, import('./grouping/score-groups.mjs').Score>>} python
 */
function results(scores, frames, python) {
  const { 'with maps': withMaps, 'without maps': without } = scores;
  const rows = Object.entries({ ...scores, ...python }).flatMap(([which, scopes]) =>
    Object.entries(scopes).map(([scope, { P, R, F1, groups, bugs }]) => [
      `${which}, ${scope.replace(/^[a-c] /, '')}`,
      ...[P, R, F1].map((part) => figure(100 * part, 1)),
      figure(groups),
      figure(groups / bugs, 2),
    ]),
  );
  const whole = withMaps['all in project'];
  return {
    text: [
      table(['pairs of errors, %', 'precision', 'recall', 'F1', 'groups', 'groups per bug'], rows),
      table(
        ['frames, with maps', '%'],
        Object.entries(frames).map(([row, part]) => [row, figure(part, 2)]),
      ),
    ].join('\n\n'),
    checks: [
      { name: 'F1 with maps, whole project', value: percent(whole.F1), unit: '%', atLeast: 95 },
      { name: 'across releases', value: percent(withMaps['c across releases'].F1), unit: '%', atLeast: 96 },
      { name: 'across engines', value: percent(withMaps['b across engines'].F1), unit: '%', atLeast: 93 },
      { name: 'groups per bug', value: whole.groups / whole.bugs, unit: '', atMost: 1.1 },
      { name: 'F1 without maps, whole project', value: percent(without['all in project'].F1), unit: '%', atLeast: 82 },
      ...frameChecks(frames),
      ...Object.entries(python).map(([name, scopes]) => ({
        name: `F1, ${name}`,
        value: percent(scopes['all in project']?.F1 ?? 0),
        unit: '%',
        atLeast: unseenApps.some((app) => name.includes(app)) ? 88 : 95,
      })),
    ],
    data: { python, withMaps, without, likeSentry: scores['like Sentry, with maps'], frames },
  };
}

/** @param {Record<string, number>} frames */
function frameChecks(frames) {
  const checks = [
    { name: 'frames exact', value: frames['file and line, all frames'], unit: '%', atLeast: 97 },
    { name: 'top frame exact', value: frames['file and line, top frame'], unit: '%', atLeast: 93 },
    { name: 'names of functions', value: frames['function name, named app frames'], unit: '%', atLeast: 98 },
  ];
  return checks.filter(({ value }) => value !== undefined);
}

/** @param {number} part */
function percent(part) {
  return 100 * part;
}
