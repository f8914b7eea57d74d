import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import type { Operation } from './linearizability.ts';
import type { ProjectInput, ProjectOutput } from './project-model.ts';

const clients = 4;
const callsPerClient = 6;
/** Clients wait for up to this long between two calls, so that a history is not over before a fault begins. */
const maxPauseMs = 60;
/** Longer than a server waits for a holder of the log. */
const timeoutMs = 15_000;

export type ProjectOperation = Operation<ProjectInput, ProjectOutput>;

/** A project with a session of its owner. */
interface HistorySubject {
  id: number;
  apiKey: string;
  accessToken: string;
}

interface Response {
  status: number;
  body: unknown;
}

/** The order of all beginnings and ends in this process. */
let order = 0;

/**
 * Lets several clients call the API of one project at the same time, each at random servers. Resolves with their calls.
 */
export async function recordHistory(
  urls: () => string[],
  ownerToken: string,
  subject: HistorySubject,
  random: SeededRandom,
): Promise<ProjectOperation[]> {
  const history: ProjectOperation[] = [];

  async function call(
    method: string,
    path: string,
    token: string | null,
    body?: unknown,
  ): Promise<Response | 'refused' | null> {
    try {
      const response = await fetch(`${random.pick(urls())}/api/v1/${path}`, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      // The outcome of a write may be unknown to the server, too.
      if (response.status === 503) return null;
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    } catch (error) {
      return isRefused(error) ? 'refused' : null;
    }
  }

  async function perform(
    input: ProjectInput,
    send: () => Promise<Response | 'refused' | null>,
    read: (response: Response) => ProjectOutput,
  ): Promise<ProjectOutput | null> {
    const operation: ProjectOperation = { input, output: null, beganAt: ++order, endedAt: Infinity };
    history.push(operation);
    const response = await send();
    // No server runs at this address, so nothing was performed.
    if (response === 'refused') history.splice(history.indexOf(operation), 1);
    if (response === null || response === 'refused') return null;
    operation.output = response.status === 401 ? 'rejected' : read(response);
    operation.endedAt = ++order;
    return operation.output;
  }

  async function client(): Promise<void> {
    let { apiKey } = subject;
    let groupId: number | null = null;
    const { id, accessToken } = subject;
    const calls: (() => Promise<unknown>)[] = [
      () => {
        const body = { project_api_key: apiKey, message: 'It broke', event_id: randomUUID() };
        return perform(
          { call: 'report', apiKey },
          () => call('POST', 'errors', null, body),
          ({ status, body: answer }) => {
            const { error_group_id, is_new_group } = expectStatus(status, 200, answer);
            groupId = Number(error_group_id);
            return { isNew: is_new_group === true };
          },
        );
      },
      () =>
        perform(
          { call: 'read group' },
          () => call('GET', `errors?project_id=${id}`, ownerToken),
          ({ status, body }) => {
            const [group] = expectStatus(status, 200, body).items as { count: number; status: string }[];
            return group ? { count: group.count, status: group.status } : 'missing';
          },
        ),
      async () => {
        if (groupId === null) return;
        await perform(
          { call: 'resolve' },
          () => call('PATCH', `errors/${groupId}/status`, ownerToken, { status: 'resolved' }),
          ({ status, body }) => {
            expectStatus(status, 200, body);
            return 'done';
          },
        );
      },
      async () => {
        const output = await perform(
          { call: 'rotate' },
          () => call('POST', `projects/${id}/api-key/rotate`, ownerToken),
          ({ status, body }) => ({ apiKey: String(expectStatus(status, 200, body).api_key) }),
        );
        apiKey = keyOf(output) ?? apiKey;
      },
      async () => {
        const output = await perform(
          { call: 'read key' },
          () => call('GET', `projects/${id}`, ownerToken),
          ({ status, body }) => ({ apiKey: String(expectStatus(status, 200, body).api_key) }),
        );
        apiKey = keyOf(output) ?? apiKey;
      },
      () =>
        perform(
          { call: 'use session' },
          () => call('GET', 'auth/me', accessToken),
          ({ status, body }) => {
            expectStatus(status, 200, body);
            return 'done';
          },
        ),
      async () => {
        // Otherwise most sessions end at once.
        if (random.chance(0.7)) return;
        await perform(
          { call: 'sign out' },
          () => call('POST', 'auth/logout', accessToken),
          ({ status, body }) => {
            expectStatus(status, 204, body);
            return 'done';
          },
        );
      },
    ];
    for (let count = 0; count < callsPerClient; count++) {
      await random.pick(calls)();
      await sleep(random.below(maxPauseMs));
    }
  }

  await Promise.all(Array.from({ length: clients }, client));
  return history;
}

function isRefused(error: unknown): boolean {
  return ((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';
}

function keyOf(output: ProjectOutput | null): string | null {
  return output !== null && typeof output === 'object' && 'apiKey' in output ? output.apiKey : null;
}

function expectStatus(status: number, expected: number, body: unknown): Record<string, unknown> {
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${JSON.stringify(body)}`);
  return (body ?? {}) as Record<string, unknown>;
}
