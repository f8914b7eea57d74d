import type { Facets, ListedSourceMap, Page } from '@service/protocol';
import { ApiError, UnreachableError, type ApiClient } from '@service/api-client';
import type { CommandContext } from '../command.ts';
import { connect } from '../connect.ts';
import { selectCommandProject } from '../select-command-project.ts';
import { unknown, type Check, type CheckResult, type DoctorContext } from '../doctor/check.ts';
import { checkPublicMaps, checkReleases, checkScripts } from '../doctor/check-maps.ts';
import { checkPage } from '../doctor/check-page.ts';
import { checkPolicy } from '../doctor/check-policy.ts';
import { checkSdk } from '../doctor/check-sdk.ts';
import { checkKey, checkOrigin, checkQuota, checkServer, checkStream } from '../doctor/check-server.ts';
import { assertPageUrl, readPage } from '../doctor/read-page.ts';
import { CommandError } from '../command-error.ts';
import type { Output } from '../output.ts';
import { printable } from '../printable.ts';

/** The checks of a project in the order of their output. */
const checks: readonly [name: string, check: Check][] = [
  ['key', checkKey],
  ['page', checkPage],
  ['origin', checkOrigin],
  ['quota', checkQuota],
  ['stream', checkStream],
  ['policy', checkPolicy],
  ['sdk', checkSdk],
  ['releases', checkReleases],
  ['scripts', checkScripts],
  ['public maps', checkPublicMaps],
];

/** Prints the result of each check. Rejects with a CommandError if one of them found a problem. */
export async function doctor(context: CommandContext): Promise<void> {
  const { output, options, operands } = context;
  if (operands[0] !== undefined) assertPageUrl(operands[0]);
  if (options.origin !== undefined) assertOrigin(options.origin);
  const results: CheckResult[] = [];
  for await (const result of runChecks(context)) {
    results.push(result);
    output.unfinished({ checks: results });
    printResult(result, output);
  }
  output.json({ checks: results });
  const problems = results.filter(({ state }) => state === 'problem');
  if (problems.length > 0)
    throw new CommandError(
      'problems_found',
      `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}: ${problems.map(({ name }) => name).join(', ')}`,
    );
  output.line('No problems.');
}

function assertOrigin(text: string): void {
  if (!URL.canParse(text) || new URL(text).origin !== text)
    throw new CommandError('usage', 'The origin must be one such as https://shop.example, without a path.');
}

async function* runChecks(context: CommandContext): AsyncGenerator<CheckResult> {
  const { options, operands } = context;
  // Without retries: a server that cannot be reached is a finding.
  const api = await connect(context, []);
  const ofServer = await checkServer(api, Date.now);
  yield* ofServer;
  if (ofServer.some(({ name, state }) => name === 'server' && state === 'problem')) return;
  const project = await selectCommandProject(api, context);
  const given = await readGivenPage(operands[0]);
  const facts = {
    api,
    project,
    ...given,
    apiKey: options.key ?? project.api_key,
    pageOrigin: options.origin ?? given.pageOrigin,
    release: options.release ?? null,
    newestRelease: await findNewestRelease(api, project.id),
    now: Date.now,
  };
  for (const [name, check] of checks)
    yield await check(facts).catch((error: unknown) => {
      if (!(error instanceof ApiError || error instanceof UnreachableError)) throw error;
      return unknown(name, `The check failed: ${error.message}`);
    });
}

/** Reads the page that is given. If it can't be read, its origin is still checked. */
async function readGivenPage(
  address: string | undefined,
): Promise<Pick<DoctorContext, 'page' | 'unreadPage' | 'pageOrigin'>> {
  if (address === undefined) return { page: null, unreadPage: null, pageOrigin: null };
  const page = await readPage(address);
  if (typeof page !== 'string') return { page, unreadPage: null, pageOrigin: new URL(page.url).origin };
  return { page: null, unreadPage: { url: address, reason: page }, pageOrigin: new URL(address).origin };
}

async function findNewestRelease(api: ApiClient, projectId: number): Promise<string | null> {
  const { releases } = await api.call<Facets>('GET', `/projects/${projectId}/facets`);
  if (releases[0] !== undefined) return releases[0];
  const maps = await api.call<Page<ListedSourceMap>>('GET', `/projects/${projectId}/source-maps`, {
    query: { size: 1 },
  });
  return maps.items[0]?.release ?? null;
}

const marks = { ok: ['green', '✓'], problem: ['red', '✗'], unknown: ['yellow', '?'] } as const;

function printResult({ name, state, finding, fix, link }: CheckResult, output: Output): void {
  const [color, mark] = marks[state];
  output.line(`${output.paint(color, mark)} ${name.padEnd(11)} ${printable(finding)}`);
  if (fix !== undefined) output.line(`  ${' '.repeat(11)} Fix: ${printable(fix)}`);
  if (link !== undefined) output.line(`  ${' '.repeat(11)} See: ${printable(link)}`);
}
