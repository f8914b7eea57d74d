import { randomBelow, type RandomBelow } from '../../../../../test/test-utils/seeded-random.mjs';
import type { EarlierFingerprint } from '../../../src/grouping/group-alias.ts';
import { mergeGroup } from '../../../src/groups/merge-groups.ts';
import { decodeBatch, encodeBatch } from '../../../src/store/log/batch.ts';
import { Transaction, type TransactionGroup } from '../../../src/store/log/transaction.ts';
import type { BodySpan, Entry } from '../../../src/store/records/entry.ts';
import { Model } from '../../../src/store/model/model.ts';
import { monthOf } from '../../../src/store/records/month.ts';
import { recordReport } from '../../../src/ingest/record-report.ts';
import { emptyValues } from '../records/report-entry.ts';
import { unlimitedStorage } from '../unlimited-storage.ts';
import { packTags } from '../../../src/store/records/packed-tags.ts';

/** An entry that was read from a log. */
export interface Logged {
  entry: Entry;
  position: number;
  body: BodySpan | null;
}

const sessionRetention = 3;
const hour = 3_600_000;

/** Random changes of a service: a growing list of entries, and the model to which they are applied. */
export class RandomSession {
  readonly random: RandomBelow;
  readonly model: Model;
  readonly logged: Logged[] = [];
  readonly eventIds: string[] = [];
  now = Date.UTC(2026, 9, 28);
  readonly #fingerprints: string[];
  readonly #onlyReports: boolean;

  constructor(seed: number, { groups = 40, cachedGroups = 5, onlyReports = false } = {}) {
    this.random = randomBelow(seed);
    this.model = new Model(sessionRetention, cachedGroups);
    this.#onlyReports = onlyReports;
    this.#fingerprints = Array.from({ length: groups }, (_, index) => (index + 1).toString(16).padStart(32, 'ab0'));
    for (const id of [1, 2, 3]) this.#commit((transaction) => this.#addProject(transaction, id));
  }

  step(): void {
    const { random } = this;
    // The clock can also be set back.
    this.now += random(20) === 0 ? -random(2 * hour) : random(random(30) === 0 ? 30 * hour : 2000);
    const kind = this.#onlyReports ? 0 : random(100);
    this.#commit((transaction) => {
      const projects = [...this.model.tables.projects.values()];
      const project = projects[random(projects.length)];
      const ids = this.#onlyReports ? [] : [...this.model.groups.ids()];
      const group = transaction.group(ids[random(ids.length)] ?? 0);
      if (kind < 85 && project) this.#report(transaction, project.id, project.api_key);
      else if (kind < 93 && group) this.#change(transaction, group);
      else if (kind < 96 && group)
        this.#mergeOrUnmerge(transaction, group, transaction.group(ids[random(ids.length)] ?? 0));
      else if (kind < 97 && group) transaction.removeGroup(group);
      else if (kind < 98 && projects.length > 2 && project) transaction.remove('projects', project.id);
      else if (kind < 99) this.#addProject(transaction, transaction.nextId('projects'));
    });
  }

  /** Applies entries that no transaction has written. */
  apply(entries: readonly Logged[]): void {
    for (const logged of entries) {
      this.model.apply(logged.entry, logged.position, logged.body);
      this.logged.push(logged);
    }
  }

  /** Returns a position for the next body. */
  nextBody(): { position: number; body: BodySpan } {
    return { position: this.logged.length * 1000 + 2 ** 33, body: { offset: 500, length: 100 + this.random(900) } };
  }

  #commit(run: (transaction: Transaction) => void): void {
    const transaction = new Transaction(this.model, this.now);
    run(transaction);
    for (const { entry, body } of transaction.written) {
      const next = this.nextBody();
      const logged = { position: next.position, body: body === null ? null : next.body };
      this.model.apply(entry, logged.position, logged.body);
      this.logged.push({ entry: asLogged(entry), ...logged });
    }
  }

  #change(transaction: Transaction, group: TransactionGroup): void {
    const { random } = this;
    if (random(4)) transaction.setGroupStatus(group, random(2) ? 'resolved' : 'active');
    else transaction.setCulprit(group, random(3) ? `pay (src/pay-${random(9)}.ts)` : null);
  }

  #mergeOrUnmerge(transaction: Transaction, group: TransactionGroup, other: TransactionGroup | undefined): void {
    if (transaction.get('merges', group.id)) transaction.remove('merges', group.id);
    else if (other && other.projectId === group.projectId && transaction.targetOf(other) !== group)
      mergeGroup(transaction, group, transaction.targetOf(other));
  }

  #addProject(transaction: Transaction, id: number): void {
    transaction.put('projects', {
      id,
      team_id: 1 + (id % 2),
      name: `project ${id}`,
      api_key: `key ${id}`,
      created_at: '',
    });
  }

  #report(transaction: Transaction, projectId: number, apiKey: string): void {
    const { random } = this;
    const one = <Value>(...values: Value[]): Value => values[random(values.length)] as Value;
    const print = random(this.#fingerprints.length);
    const many = random(this.#onlyReports ? 2 : 10) === 0;
    const event_id = random(3) === 0 ? this.#eventId() : null;
    recordReport(
      transaction,
      {
        api_key: apiKey,
        fingerprint: this.#fingerprints[print] ?? '',
        grouping: {
          version: 3,
          rule: 'place',
          components: [`cart ${print} (src/cart.ts)`, one('TypeError', 'Größe', '価格')],
        },
        earlier: random(4) ? undefined : this.#earlierFingerprints(print),
        body: () => 'body',
        project_id: projectId,
        columns: {
          ...emptyValues,
          event_id,
          type: one(null, 'TypeError', 'ReferenceError'),
          message: one('', 'Order 17 is gone', 'Die Größe fehlt', '価格がない', 'half a pair: \ud800', 'x'.repeat(300)),
          culprit: one(null, `cart ${print} (src/cart.ts)`),
          level: one('error', 'warning', 'info'),
          environment: one(null, 'production', 'staging', `preview-${random(many ? 3000 : 5)}`),
          release: one(null, 'shop@4.7.0', 'production', `shop@${random(many ? 3000 : 8)}`),
          url: one(null, 'https://shop.example/cart', `https://shop.example/${random(50)}`),
          browser: one(null, 'Chrome 141', 'Firefox 140'),
          os: one(null, 'Windows', 'iOS 18'),
          user_id: one(null, 'only', `user ${random(many ? 5000 : 6)}`),
          tags: one(
            null,
            null,
            null,
            packTags({ plan: one('free', 'gold'), customer: `größe ${random(many ? 3000 : 5)}` }),
          ),
        },
      },
      { errorQuota: null, retentionReports: sessionRetention, storageBudget: unlimitedStorage() },
    );
  }

  /** Returns a function that returns the fingerprints before each of two consecutive source maps. */
  #earlierFingerprints(print: number): () => EarlierFingerprint[] {
    const prints = [7, 3].map((step) => this.#fingerprints[(print * step) % this.#fingerprints.length] ?? '');
    const before = prints.map(() => this.random(60)).toSorted((a, b) => b - a);
    return () =>
      prints.map((fingerprint, step) => ({ groupsBefore: before[step] ?? 0, fingerprint: () => fingerprint }));
  }

  #eventId(): string {
    const { random, eventIds } = this;
    const id = random(4) === 0 ? eventIds[random(eventIds.length)] : undefined;
    if (id !== undefined) return id;
    const digits = Array.from({ length: 32 }, () => random(16).toString(16)).join('');
    const eventId = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    eventIds.push(eventId);
    return eventId;
  }
}

/** Encodes and decodes an entry, as a log does. */
export function asLogged(entry: Entry): Entry {
  const read: Entry[] = [];
  decodeBatch(encodeBatch([{ entry, body: null }]).bytes, (one) => read.push(one));
  const [logged = entry] = read;
  return logged;
}

/** Applies the entries of a log to a new model. */
export function replay(logged: readonly Logged[], cachedGroups = 5): Model {
  const model = new Model(sessionRetention, cachedGroups);
  for (const { entry, position, body } of logged) model.apply(entry, position, body);
  return model;
}

/** Returns the whole visible state of a model. */
export function observed({
  model,
  now,
  eventIds,
}: {
  model: Model;
  now: number;
  eventIds: readonly string[];
}): unknown {
  const projects = [...model.tables.projects.values()];
  const groups = [...model.groups.ids()].toSorted((a, b) => a - b).flatMap((id) => model.groups.get(id) ?? []);
  return {
    projects,
    groups: groups.map((group) => ({
      ...group.toRecord(now),
      ...group.toDetails(now),
      tags: group.topTags(),
      kept: group.reportPointers.all(),
      search: group.searchText(),
      found: model.groupId(group.projectId, group.fingerprint),
      own: model.groups.own(group.id)?.toRecord(now),
      target: model.groups.merged.targetId(group.id),
      merged: [...model.groups.merged.mergedIds(group.id)].toSorted((a, b) => a - b),
    })),
    listed: listedGroups(model, now),
    sizes: [model.groups.size, model.storedBytes, ...projects.map(({ id }) => model.groupCount(id))],
    adoptions: [...model.tables.adoptions.values()].toSorted((a, b) => a.group_id - b.group_id),
    facets: projects.map(({ id }) => model.facets(id)),
    usage: [1, 2].map((team) => model.usage.get(team, monthOf(now))),
    responses: projects.map(({ id }) => eventIds.map((eventId) => model.storedResponse(id, eventId))),
    lastIds: (['teams', 'projects', 'groups', 'reports'] as const).map((kind) => model.lastId(kind)),
  };
}

/** Returns the columns by which lists sort, of all groups that they show. */
function listedGroups({ groups }: Model, now: number): unknown[] {
  const { columns } = groups;
  groups.countMergedUsers();
  return Array.from({ length: columns.length }, (_, slot) => slot)
    .filter((slot) => columns.ids[slot] !== 0 && columns.merged[slot] === 0)
    .map((slot) => ({
      record: groups.record(slot, now),
      columns: [columns.counts[slot], columns.users[slot], columns.firstSeen[slot], columns.lastSeen[slot]],
    }))
    .toSorted((a, b) => a.record.error_group_id - b.record.error_group_id);
}
