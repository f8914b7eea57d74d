import { paths, type GroupDetails, type Page, type Project, type SourceMap, type Tokens } from '@service/protocol';
import { expect, test } from 'vitest';
import { addMember, createPersonalToken, password } from './members.ts';
import { checkOut } from '../billing/sandbox-payments.ts';
import {
  describeService,
  type TestResponse,
  type Body,
  type CallOptions,
  type TestService,
} from '../test-utils/describe-service.ts';

/** One resource of each kind of a team. */
interface Belongings {
  project: number;
  map: number;
  group: number;
  report: number;
  member: number;
  token: number;
  payment: number;
}

const missingIds: Belongings = {
  project: 4_001,
  map: 4_002,
  group: 4_003,
  report: 4_004,
  member: 4_005,
  token: 4_006,
  payment: 4_007,
};

type Ask = [
  method: string,
  path: keyof typeof paths,
  idsIn: (ids: Belongings) => Record<string, number>,
  body?: unknown,
];

const project = ({ project: id }: Belongings) => ({ id });
const group = ({ group: group_id }: Belongings) => ({ group_id });

/** All operations that take an id. */
const asks: Ask[] = [
  ['GET', 'project', project],
  ['PUT', 'project', project, { name: 'Mine' }],
  ['DELETE', 'project', project],
  ['POST', 'rotateApiKey', project],
  ['GET', 'facets', project],
  ['GET', 'droppedItems', project],
  ['GET', 'sourceMaps', project],
  ['POST', 'sourceMaps', project, mapForm()],
  ['GET', 'positionResolution', project],
  ['DELETE', 'sourceMap', ({ project: id, map: map_id }) => ({ id, map_id })],
  ['GET', 'group', group],
  ['DELETE', 'group', group],
  ['PATCH', 'groupStatus', group, { status: 'resolved' }],
  ['POST', 'mergeGroups', group, { group_ids: [1] }],
  ['POST', 'unmergeGroups', group, { group_ids: [1] }],
  ['GET', 'mergedGroups', group],
  ['GET', 'similarGroups', group],
  ['POST', 'aiSummary', group],
  ['GET', 'aiSummary', group],
  ['GET', 'notifications', project],
  ['PUT', 'notifications', project, {}],
  ['POST', 'notificationTest', project],
  ['GET', 'recipients', project],
  ['POST', 'askRecipient', project, { email: 'ann@shop.example' }],
  ['GET', 'reports', group],
  ['GET', 'resolution', group],
  ['GET', 'report', ({ group: group_id, report: report_id }) => ({ group_id, report_id })],
  ['PATCH', 'member', ({ member: id }) => ({ id }), { role: 'viewer' }],
  ['DELETE', 'member', ({ member: id }) => ({ id })],
  ['DELETE', 'personalToken', ({ token: id }) => ({ id })],
  ['GET', 'payment', ({ payment: payment_id }) => ({ payment_id })],
];

test('the table of requests covers every path that takes an id', () => {
  const asked = new Set(asks.map(([, path]) => path));
  // A provider belongs to no team.
  const taking = Object.entries(paths).filter(([, path]) => path.replace(':provider', '').includes(':'));
  expect(taking.map(([name]) => name).filter((name) => !asked.has(name as keyof typeof paths))).toEqual([]);
});

describeService('resources of another team', (start) => {
  test('respond like resources that never existed, to every role and every request', async () => {
    const service = await start({ registration: 'open', sandboxSecret: 'a secret of the sandbox' });
    const { call } = service;
    const stranger = (
      await call<Tokens>('POST', 'auth/register', { token: null, body: { email: 'eve@other.example', password } })
    ).body.access_token;
    const theirs = await createBelongings(service, { token: stranger });
    const ours = await createBelongings(service, {});
    const callers = {
      owner: {},
      member: { token: (await addMember(call, 'ann@shop.example', 'member')).token },
      viewer: { token: (await addMember(call, 'ben@shop.example', 'viewer')).token },
    };

    for (const [role, caller] of Object.entries(callers)) {
      for (const [method, path, ids, body] of asks) {
        const responses = await Promise.all(
          [theirs, missingIds].map((of) =>
            call(method, pathWith(path, ids(of)), { ...caller, ...(body ? { body } : {}) }),
          ),
        );
        const [other, missing] = responses.map(responseParts);
        expect(other, `${method} ${path} of a ${role}`).toEqual(missing);
        expect(other?.status).toBe(404);
      }
      // Paths that begin with an id of the caller's own, and a query with an id.
      for (const path of [
        (of: Belongings) => `projects/${ours.project}/source-maps/${of.map}`,
        (of: Belongings) => `errors/${ours.group}/reports/${of.report}`,
        (of: Belongings) => `errors?project_id=${of.project}`,
      ]) {
        const method = path(missingIds).includes('source-maps') ? 'DELETE' : 'GET';
        const other = responseParts(await call(method, path(theirs), caller));
        expect(other).toEqual(responseParts(await call(method, path(missingIds), caller)));
        expect(other.status).toBe(404);
      }
    }

    // All resources of the team still exist.
    for (const [path, count] of [
      ['projects', 1],
      ['errors', 1],
      ['members', 1],
      ['auth/tokens', 1],
    ] as const) {
      const { body } = await call<unknown[] & Page<unknown>>('GET', path, { token: stranger });
      expect(body.total ?? body.length, path).toBe(count);
    }
    for (const path of [`projects/${ours.project}`, `errors/${ours.group}`])
      expect((await call('GET', path, { token: stranger })).status).toBe(404);
  });
});

/** Creates one resource of each kind for a team. */
async function createBelongings({ call }: TestService, owner: CallOptions): Promise<Belongings> {
  const { id, api_key } = (await call<Project>('POST', 'projects', { ...owner, body: { name: 'Own' } })).body;
  const report = { project_api_key: api_key, message: 'It broke' };
  const { error_group_id = 0 } = (await call('POST', 'errors', { token: null, body: report })).body;
  const { latest_report } = (await call<GroupDetails>('GET', `errors/${error_group_id}`, owner)).body;
  const map = (await call<SourceMap>('POST', `projects/${id}/source-maps`, { ...owner, body: mapForm() })).body;
  const everybody = await call<Page<{ id: number }>>('GET', 'members', owner);
  return {
    project: id,
    map: map.id,
    group: error_group_id,
    report: latest_report?.id ?? 0,
    member: everybody.body.items[0]?.id ?? 0,
    token: (await createPersonalToken(call, { ...owner, body: { name: 'CI' } })).id,
    payment: await checkOut(call, 'self_hosted', owner),
  };
}

function pathWith(path: keyof typeof paths, ids: Record<string, number>): string {
  return paths[path].slice(1).replace(/:(\w+)/g, (_, name: string) => String(ids[name]));
}

/** Returns all parts of a response. */
function responseParts({ status, headers, body }: TestResponse): { status: number; headers: object; body: Body } {
  const { 'x-request-id': _id, date: _date, ...rest } = Object.fromEntries(headers);
  return { status, headers: rest, body: { ...body, request_id: '' } };
}

function mapForm(): FormData {
  const form = new FormData();
  const map = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' };
  form.set('file', new Blob([JSON.stringify(map)]), 'app.js.map');
  return form;
}
