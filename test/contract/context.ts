import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { problems } from '../../packages/protocol/src/index.ts';
import type { ConfigInput } from '../../packages/server/src/index.ts';
import type { ApiResponse, Json, RequestOptions } from './api-call.ts';
import { callAsOperator } from './call-as-operator.ts';
import { adminPassword, adminToken, freshEmail, password } from './credentials.ts';
import { mapForm } from './source-map-form.ts';
import type { Step } from './step.ts';
import type { ServerConnection, Target } from './targets.ts';
import type { TestServer } from './test-server.ts';

export interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
}

export interface TestUser extends Tokens {
  email: string;
  password: string;
}

export type Role = 'owner' | 'member' | 'viewer';

/** The API of one test: requests to its server, and fixtures. Only users are shared with other tests of the server. */
export class TestContext {
  readonly #server: TestServer;
  readonly #fixtures = new Map<string, Promise<string>>();

  constructor(server: TestServer) {
    this.#server = server;
  }

  get server(): ServerConnection {
    return this.#server.connection;
  }

  /** The folder of the storage, or null. */
  get folder(): string | null {
    return this.#server.folder;
  }

  get target(): Target {
    return this.#server.target;
  }

  /**
   * Sends a request as the operator's owner unless `options` say otherwise, and runs `checkResponse` on the response.
   */
  call(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    return callAsOperator(this.server, method, path, options);
  }

  /** Sends a request that must get this status, and returns the response body. */
  async send(status: number, method: string, path: string, options: RequestOptions = {}): Promise<Json> {
    const response = await this.call(method, path, options);
    expect(response.status, `${method} ${path}: ${response.text.slice(0, 300)}`).toBe(status);
    return response.body;
  }

  /** Sends a request and returns the problem code of an error, else the status. */
  async outcome(method: string, path: string, options: RequestOptions = {}): Promise<string | number> {
    const { status, body } = await this.call(method, path, options);
    return status >= 400 ? body.code : status;
  }

  /** Posts a report to the project of this test, or to the project that `project_api_key` names. */
  async report(fields: object = {}, options: RequestOptions = {}): Promise<ApiResponse> {
    const body = { project_api_key: await this.fixture('key'), message: 'It broke', ...fields };
    return this.call('POST', 'errors', { token: null, body, ...options });
  }

  /** Posts a report that must be accepted, and returns the response body. */
  async createReport(fields: object = {}, options: RequestOptions = {}): Promise<Json> {
    const response = await this.report(fields, options);
    expect(response.status, response.text).toBe(200);
    return response.body;
  }

  /** Posts a report that must be accepted, and returns it as the server stored it. */
  async storedReport(fields: object = {}, options: RequestOptions = {}): Promise<Json> {
    const { error_group_id } = await this.createReport(fields, options);
    return (await this.send(200, 'GET', `errors/${error_group_id}`)).latest_report;
  }

  async createProject(name = 'Shop', options: RequestOptions = {}): Promise<Json> {
    return this.send(201, 'POST', 'projects', { body: { name }, ...options });
  }

  /** Registers a user, who owns a new team. */
  async signUp(fields: object = {}): Promise<TestUser> {
    const user = { email: freshEmail(), password, ...fields };
    return { ...user, ...(await this.send(201, 'POST', 'auth/register', { token: null, body: user })) };
  }

  async signIn({ email, password: own }: Pick<TestUser, 'email' | 'password'>): Promise<Tokens> {
    return this.send(200, 'POST', 'auth/login', { token: null, body: { email, password: own } });
  }

  /** Signs the operator's owner in. Prefers a sign-in link where the target has one: hashing a password is slow. */
  async createSession(): Promise<Tokens> {
    const token = await this.createSignInLink();
    if (!token) return this.signIn({ email: 'admin@localhost', password: adminPassword });
    return this.send(200, 'POST', 'auth/links/use', { token: null, body: { token } });
  }

  /** Returns the token of a new sign-in link; empty where the target has none. */
  async createSignInLink(): Promise<string> {
    return /#sign-in=(\S+)$/.exec((await this.server.signInLink?.()) ?? '')?.[1] ?? '';
  }

  /** Adds a member to the team of `token` and signs them in. */
  async addMember(role: Role, token = adminToken): Promise<TestUser & { id: number }> {
    const email = freshEmail();
    const body = { token: await this.invite(role, token, email), password };
    const tokens = await this.send(201, 'POST', 'auth/invitations/accept', { token: null, body });
    const { id } = await this.send(200, 'GET', 'auth/me', { token: tokens.access_token });
    return { id, email, password, ...tokens };
  }

  /** Invites a member and returns the token in the invitation link. */
  async invite(role: Role, token = adminToken, email = freshEmail()): Promise<string> {
    const { invite_url } = await this.send(201, 'POST', 'members', { token, body: { email, role } });
    return /[=/]([A-Za-z0-9_-]{20,})$/.exec(invite_url)?.[1] ?? `none in ${invite_url}`;
  }

  /**
   * Returns the fixture of this name, which the first call creates: the ids of `project`, its `group`, `report` and
   * `map`, and its `key`; the ids of `otherProject`, an `explained` group, an invited `memberId`, a personal `tokenId`
   * and a `payment`; the tokens of a `member` and a `viewer` of the operator's team, and of a `stranger` who owns
   * another team.
   */
  fixture(name: string): Promise<string> {
    const value = this.#fixtures.get(name) ?? this.#createFixture(name);
    this.#fixtures.set(name, value);
    return value;
  }

  setFixture(name: string, value: unknown): void {
    this.#fixtures.set(name, Promise.resolve(String(value)));
  }

  /** Stops the server and starts it again on the same storage. */
  async restart(settings: ConfigInput = {}): Promise<void> {
    await this.#server.restart(settings);
  }

  async runSteps(steps: Step[]): Promise<void> {
    for (const step of steps) await this.#runStep(step);
  }

  /** Polls until the condition holds. Rejects after the timeout. */
  async waitUntil(condition: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
    // Measured with performance.now, because tests may fake Date.
    for (const endsAt = performance.now() + timeoutMs; !(await condition()); await sleep(20))
      if (performance.now() > endsAt) throw new Error(`The condition did not hold within ${timeoutMs} ms.`);
  }

  async #runStep(step: Step): Promise<void> {
    const { request, token, body, headers, outcome, matches, excludes = [], responseHeaders = {}, save = {} } = step;
    const space = request.indexOf(' ');
    const path = await this.#fill(request.slice(space + 1));
    const response = await this.call(request.slice(0, space), path, {
      ...(body === undefined ? {} : { body: await this.#fill(body) }),
      ...(headers ? { headers: await this.#fill(headers) } : {}),
      ...(token === undefined ? {} : { token: token === null ? null : await this.#fill(token) }),
    });
    const status = typeof outcome === 'number' ? outcome : problems[outcome].status;
    expect(response.status, `${request}: ${response.text.slice(0, 300)}`).toBe(status);
    if (typeof outcome === 'string') expect(response.body.code, request).toBe(outcome);
    if (matches !== undefined) expect(response.body, request).toMatchObject((await this.#fill(matches)) as object);
    for (const text of excludes) expect(response.text, request).not.toContain(await this.#fill(text));
    for (const [name, value] of Object.entries(responseHeaders)) {
      if (value instanceof RegExp) expect(response.headers.get(name), `${request}: ${name}`).toMatch(value);
      else expect(response.headers.get(name), `${request}: ${name}`).toBe(value);
    }
    for (const [name, memberPath] of Object.entries(save))
      this.setFixture(
        name,
        memberPath.split('.').reduce((value: Json, key) => value[key], response.body),
      );
  }

  /** Replaces names in braces by fixtures, deep in objects and arrays too. A replaced value stays a string. */
  async #fill<Value>(value: Value): Promise<Value>;
  async #fill(value: unknown): Promise<unknown> {
    if (typeof value === 'string') {
      let filled = value;
      for (const [braced, name] of value.matchAll(/\{([a-z][A-Za-z]*)\}/g))
        filled = filled.replace(braced, await this.fixture(name ?? ''));
      return filled;
    }
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.#fill(item)));
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(
      await Promise.all(Object.entries(value).map(async ([key, item]) => [key, await this.#fill(item)] as const)),
    );
  }

  async #createFixture(name: string): Promise<string> {
    if (name === 'project' || name === 'key') {
      const project = this.createProject();
      this.#fixtures.set(
        'project',
        project.then(({ id }) => String(id)),
      );
      this.#fixtures.set(
        'key',
        project.then(({ api_key }) => api_key as string),
      );
      return this.fixture(name);
    }
    const create = this.#fixtureFactories[name];
    if (!create) throw new Error(`There is no fixture {${name}}.`);
    return String(await create());
  }

  readonly #fixtureFactories: Record<string, () => Promise<unknown>> = {
    otherProject: async () => (await this.createProject('Other')).id,
    group: async () => (await this.createReport()).error_group_id,
    explained: async () => {
      const { error_group_id: id } = await this.createReport();
      await this.send(202, 'POST', `errors/${id}/ai-summary`);
      await this.waitUntil(async () => (await this.send(200, 'GET', `errors/${id}/ai-summary`)).status !== 'pending');
      return id;
    },
    report: async () => (await this.send(200, 'GET', `errors/${await this.fixture('group')}`)).latest_report.id,
    map: async () => {
      const path = `projects/${await this.fixture('project')}/source-maps`;
      return (await this.send(201, 'POST', path, { body: mapForm() })).id;
    },
    memberId: async () => {
      const body = { email: freshEmail(), role: 'viewer' };
      return (await this.send(201, 'POST', 'members', { body })).id;
    },
    tokenId: async () => (await this.send(201, 'POST', 'auth/tokens', { body: { name: 'CI' } })).id,
    payment: async () =>
      (await this.send(201, 'POST', 'billing/checkout', { body: { plan: 'self_hosted' } })).payment_id,
    member: () => this.#sharedToken('member', () => this.addMember('member')),
    viewer: () => this.#sharedToken('viewer', () => this.addMember('viewer')),
    stranger: () => this.#sharedToken('stranger', () => this.signUp()),
  };

  /** Returns the access token of a user that all tests of this server share: hashing a password is slow. */
  async #sharedToken(name: string, create: () => Promise<TestUser>): Promise<string> {
    const { sharedUsers } = this.#server;
    const user = sharedUsers.get(name) ?? create();
    sharedUsers.set(name, user);
    return (await user).access_token;
  }
}
