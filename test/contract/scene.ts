import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { problems } from '../../packages/protocol/src/index.ts';
import type { ConfigInput } from '../../packages/server/src/index.ts';
import { readAnswer, toRequest, type Answer, type Ask, type Json } from './answer.ts';
import type { Step } from './chapter.ts';
import { checkAnswer } from './check-answer.ts';
import { adminPassword, type Opened, type Place } from './places.ts';
import type { RunningServer } from './running-server.ts';

export const adminToken = 'contract-admin-token-0123456789';

/** Of the payment provider that costs nothing. */
export const sandboxSecret = 'a secret of the contract';

/** Long enough for all who are made here. */
export const password = 'a staple of a battery';

export interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
}

export interface Person extends Tokens {
  email: string;
  password: string;
}

export type Role = 'owner' | 'member' | 'viewer';

let peopleSoFar = 0;

/** Of somebody whom no server knows yet. */
export function freshEmail(): string {
  return `person-${++peopleSoFar}-${process.pid}@contract.example`;
}

/** What a test sees: a server, and a project there that is its own. */
export class Scene {
  readonly #server: RunningServer;
  readonly #known = new Map<string, Promise<string>>();

  constructor(server: RunningServer) {
    this.#server = server;
  }

  get server(): Opened {
    return this.#server.opened;
  }

  /** The folder of its storage, or null. */
  get folder(): string | null {
    return this.#server.folder;
  }

  /** Where its server runs. */
  get place(): Place {
    return this.#server.place;
  }

  get isLasting(): boolean {
    return this.#server.isLasting;
  }

  /** Asks, as the operator's owner unless said otherwise. Every answer is held against what the contract says of all. */
  async call(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    const answer = await this.rawCall(method, path, ask);
    checkAnswer(method, path, ask, answer);
    return answer;
  }

  /** As `call`, for what is no answer of the server's own making. */
  async rawCall(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    return readAnswer(await this.server.fetch(toRequest(this.server.url, method, path, { token: adminToken, ...ask })));
  }

  /** The body of an answer that has to have this status. */
  async get(status: number, method: string, path: string, ask: Ask = {}): Promise<Json> {
    const answer = await this.call(method, path, ask);
    expect(answer.status, `${method} ${path}: ${answer.text.slice(0, 300)}`).toBe(status);
    return answer.body;
  }

  /** Its code, of an answer that has to be an error; else its status. */
  async codeOf(method: string, path: string, ask: Ask = {}): Promise<string | number> {
    const { status, body } = await this.call(method, path, ask);
    return status >= 400 ? body.code : status;
  }

  /** Posts a report to the project of this test, or to that of `project_api_key`. */
  async report(fields: object = {}, ask: Ask = {}): Promise<Answer> {
    const body = { project_api_key: await this.know('key'), message: 'It broke', ...fields };
    return this.call('POST', 'errors', { token: null, body, ...ask });
  }

  /** As `report`, accepted. */
  async accepted(fields: object = {}, ask: Ask = {}): Promise<Json> {
    const answer = await this.report(fields, ask);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }

  /** The details of the group of an accepted report: its latest report is what was kept of it. */
  async kept(fields: object = {}, ask: Ask = {}): Promise<Json> {
    const { error_group_id } = await this.accepted(fields, ask);
    return (await this.get(200, 'GET', `errors/${error_group_id}`)).latest_report;
  }

  async newProject(name = 'Shop', ask: Ask = {}): Promise<Json> {
    return this.get(201, 'POST', 'projects', { body: { name }, ...ask });
  }

  /** Registers somebody, who has a team of their own. */
  async signUp(fields: object = {}): Promise<Person> {
    const person = { email: freshEmail(), password, ...fields };
    return { ...person, ...(await this.get(201, 'POST', 'auth/register', { token: null, body: person })) };
  }

  async signIn({ email, password: own }: Pick<Person, 'email' | 'password'>): Promise<Tokens> {
    return this.get(200, 'POST', 'auth/login', { token: null, body: { email, password: own } });
  }

  /** A session of the operator's owner, by a link where there is one: a password takes long. */
  async newSession(): Promise<Tokens> {
    const [, token] = /#sign-in=(\S+)$/.exec((await this.server.signInLink?.()) ?? '') ?? [];
    if (!token) return this.signIn({ email: 'admin@localhost', password: adminPassword });
    return this.get(200, 'POST', 'auth/links/use', { token: null, body: { token } });
  }

  /** A new member of the team of `token`, signed in. */
  async addMember(role: Role, token = adminToken): Promise<Person & { id: number }> {
    const email = freshEmail();
    const body = { token: await this.invite(role, token, email), password };
    const tokens = await this.get(201, 'POST', 'auth/invitations/accept', { token: null, body });
    const { id } = await this.get(200, 'GET', 'auth/me', { token: tokens.access_token });
    return { id, email, password, ...tokens };
  }

  /** The token of an invitation, as the link says it. */
  async invite(role: Role, token = adminToken, email = freshEmail()): Promise<string> {
    const { invite_url } = await this.get(201, 'POST', 'members', { token, body: { email, role } });
    return /[=/]([A-Za-z0-9_-]{20,})$/.exec(invite_url)?.[1] ?? `none in ${invite_url}`;
  }

  /**
   * Makes what is named, the first time: `project` and its `key`, `group` and its `report` there, `map` there,
   * `otherProject` beside it; an invited `memberId`, a personal `tokenId` and a `payment`; tokens of a `member` and a `viewer` of the
   * operator's team, and of a `stranger` who owns another one.
   */
  know(name: string): Promise<string> {
    const known = this.#known.get(name) ?? this.#make(name);
    this.#known.set(name, known);
    return known;
  }

  keep(name: string, value: unknown): void {
    this.#known.set(name, Promise.resolve(String(value)));
  }

  /** Stops, and starts again on the same storage. */
  async restart(settings: ConfigInput = {}): Promise<void> {
    await this.#server.restart(settings);
  }

  async take(steps: Step[]): Promise<void> {
    for (const step of steps) await this.#takeStep(step);
  }

  async #takeStep({ ask, as, body, headers, get, holds, lacks = [], head = {}, keep = {} }: Step): Promise<void> {
    const space = ask.indexOf(' ');
    const path = await this.#fill(ask.slice(space + 1));
    const answer = await this.call(ask.slice(0, space), path, {
      ...(body === undefined ? {} : { body: await this.#fill(body) }),
      ...(headers ? { headers: await this.#fill(headers) } : {}),
      ...(as === undefined ? {} : { token: as === null ? null : await this.#fill(as) }),
    });
    const status = typeof get === 'number' ? get : problems[get].status;
    expect(answer.status, `${ask}: ${answer.text.slice(0, 300)}`).toBe(status);
    if (typeof get === 'string') expect(answer.body.code, ask).toBe(get);
    if (holds !== undefined) expect(answer.body, ask).toMatchObject((await this.#fill(holds)) as object);
    for (const text of lacks) expect(answer.text, ask).not.toContain(await this.#fill(text));
    for (const [name, value] of Object.entries(head)) {
      if (value instanceof RegExp) expect(answer.headers.get(name), `${ask}: ${name}`).toMatch(value);
      else expect(answer.headers.get(name), `${ask}: ${name}`).toBe(value);
    }
    for (const [name, member] of Object.entries(keep))
      this.keep(
        name,
        member.split('.').reduce((value: Json, key) => value[key], answer.body),
      );
  }

  /** Puts what is known in the place of names in braces. A text that is nothing but an id stays a text. */
  async #fill<Value>(value: Value): Promise<Value>;
  async #fill(value: unknown): Promise<unknown> {
    if (typeof value === 'string') {
      let filled = value;
      for (const [braced, name] of value.matchAll(/\{([a-z][A-Za-z]*)\}/g))
        filled = filled.replace(braced, await this.know(name ?? ''));
      return filled;
    }
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.#fill(item)));
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(
      await Promise.all(Object.entries(value).map(async ([key, item]) => [key, await this.#fill(item)] as const)),
    );
  }

  /** Waits for what happens by itself. */
  async until(isSo: () => Promise<boolean>, patienceMs = 20_000): Promise<void> {
    // Not the time of day, which tests may turn.
    for (const endsAt = performance.now() + patienceMs; !(await isSo()); await sleep(20))
      if (performance.now() > endsAt) throw new Error('What was waited for did not happen.');
  }

  async #make(name: string): Promise<string> {
    if (name === 'project' || name === 'key') {
      const project = this.newProject();
      this.#known.set(
        'project',
        project.then(({ id }) => String(id)),
      );
      this.#known.set(
        'key',
        project.then(({ api_key }) => api_key as string),
      );
    } else if (name === 'otherProject') {
      this.keep(name, (await this.newProject('Other')).id);
    } else if (name === 'group') {
      this.keep(name, (await this.accepted()).error_group_id);
    } else if (name === 'explained') {
      const { error_group_id: id } = await this.accepted();
      await this.get(202, 'POST', `errors/${id}/ai-summary`);
      await this.until(async () => (await this.get(200, 'GET', `errors/${id}/ai-summary`)).status !== 'pending');
      this.keep(name, id);
    } else if (name === 'report') {
      this.keep(name, (await this.get(200, 'GET', `errors/${await this.know('group')}`)).latest_report.id);
    } else if (name === 'map') {
      const body = mapForm();
      this.keep(name, (await this.get(201, 'POST', `projects/${await this.know('project')}/source-maps`, { body })).id);
    } else if (name === 'memberId') {
      this.keep(name, (await this.get(201, 'POST', 'members', { body: { email: freshEmail(), role: 'viewer' } })).id);
    } else if (name === 'tokenId') {
      this.keep(name, (await this.get(201, 'POST', 'auth/tokens', { body: { name: 'CI' } })).id);
    } else if (name === 'payment') {
      this.keep(name, (await this.get(201, 'POST', 'billing/checkout', { body: { plan: 'self_hosted' } })).payment_id);
    } else if (name === 'member' || name === 'viewer' || name === 'stranger') {
      const { people } = this.#server;
      const person = people.get(name) ?? (name === 'stranger' ? this.signUp() : this.addMember(name));
      people.set(name, person);
      this.keep(name, (await person).access_token);
    } else {
      throw new Error(`Nothing is known of {${name}}.`);
    }
    return this.know(name);
  }
}

/** `const total = cart.items;` of src/cart.ts stands at 1:1 of the script that this map is of. */
export const sourceMap = {
  version: 3,
  file: 'app.js',
  sources: ['src/cart.ts'],
  sourcesContent: ['const total = cart.items;'],
  names: [],
  mappings: 'AAAA',
};

export interface MapParts {
  map?: unknown;
  name?: string;
  release?: string;
  url?: string;
}

/** The form of an upload. */
export function mapForm({ map = sourceMap, name = 'app.js.map', release, url }: MapParts = {}): FormData {
  const form = new FormData();
  form.append('file', new Blob([typeof map === 'string' ? map : JSON.stringify(map)]), name);
  if (release !== undefined) form.append('release', release);
  if (url !== undefined) form.append('url', url);
  return form;
}
