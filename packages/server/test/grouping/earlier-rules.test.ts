import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ErrorGroup, Page } from '@service/protocol';
import { fingerprint } from '../../src/fingerprint/fingerprint.ts';
import type { GroupingVersion } from '../../src/fingerprint/grouping-version.ts';
import { recordReport } from '../../src/ingest/record-report.ts';
import { parseReport } from '../../src/report/parse-report.ts';
import { rawFrames } from '../../src/stack/raw-frames.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';
import { emptyValues } from '../store/records/report-entry.ts';
import { unlimitedStorage } from '../store/unlimited-storage.ts';

let opened: OpenService;
let projectId: number;
let apiKey: string;

beforeEach(async () => {
  opened = await openService();
  const { body } = await opened.call<{ id: number; api_key: string }>('POST', 'projects', {
    body: { name: 'Library' },
  });
  projectId = body.id;
  apiKey = body.api_key;
});
afterEach(() => opened.close());

/** Returns a report of an error class that a minifier named. Only version 1 of the rules groups by that name. */
function report(type: string): { type: string; message: string; stacktrace: string } {
  const message = 'Copy 4711 is not on a shelf';
  return {
    type,
    message,
    stacktrace: `${type}: ${message}\n    at lend (https://library.example/a-46KHIFEC.js:1:2164)`,
  };
}

/** Records a report as a server with these rules did. Returns its group. */
async function recordBy(version: GroupingVersion, type: string): Promise<number> {
  const { facts, stack } = parseReport(report(type), { userAgent: null, receivedAt: 0 });
  const frames = rawFrames(stack.frames, null);
  const { fingerprint: digest, grouping } = fingerprint({ ...facts, frames, causes: [], version });
  const { error_group_id: id } = await opened.services.store.commit((transaction) =>
    recordReport(
      transaction,
      {
        project_id: projectId,
        columns: { ...emptyValues, type, message: facts.message },
        api_key: apiKey,
        fingerprint: digest,
        grouping: { ...grouping, version },
        body: () => JSON.stringify(facts),
      },
      { errorQuota: null, retentionReports: 10, storageBudget: unlimitedStorage() },
    ),
  );
  return id;
}

async function send(type: string): Promise<number | undefined> {
  const { body } = await opened.call('POST', 'errors', { body: { project_api_key: apiKey, ...report(type) } });
  return body.error_group_id;
}

test('a group that was opened by earlier rules gets the later reports of its bug', async () => {
  const before = await recordBy(1, 'Sl');
  expect(await send('Sl')).toBe(before);
  // The next build has another name.
  expect(await send('wl')).toBe(before);
  const { body } = await opened.call<Page<ErrorGroup>>('GET', `errors?project_id=${projectId}`);
  expect(body.items.map(({ count }) => count)).toEqual([3]);
});

test('two groups of earlier rules that are one bug by the current rules stay, and one gets all later reports', async () => {
  const [first, second] = [await recordBy(1, 'Sl'), await recordBy(1, 'wl')];
  expect(second).not.toBe(first);
  expect(await send('wl')).toBe(second);
  expect([await send('Sl'), await send('xl')]).toEqual([second, second]);
  expect((await opened.call('GET', `errors/${first}`)).status).toBe(200);
});

test('a group of the current rules gets only reports with its fingerprint', async () => {
  const issues = (code: string) => JSON.stringify([{ code, message: 'A loan has an end', path: [] }]);
  // By version 1, both had the fingerprint that the first one has now.
  const post = (message: string) =>
    opened.call('POST', 'errors', { body: { project_api_key: apiKey, type: 'ZodError', message } });
  const { body: first } = await post(issues('invalid_type'));
  const { body: second } = await post(issues('custom'));
  expect([first.is_new_group, second.is_new_group]).toEqual([true, true]);
});
