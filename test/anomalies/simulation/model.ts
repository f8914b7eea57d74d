import type { GroupStatus } from '../../../packages/protocol/src/index.ts';

/*
 * The model: the state of a correct server, as far as its responses determine it.
 */

const dayMs = 24 * 3_600_000;

export interface ModelGroup {
  id: number;
  count: number;
  status: GroupStatus;
  reopenCount: number;
  firstSeen: string;
  /** Ids of the stored reports, by marker. */
  stored: Map<string, number>;
  storedAt: Map<string, number>;
  /**
   * Reports beyond the retention. If the clock is set back, they may be visible again until compaction removes them.
   */
  outdated: Map<string, number>;
}

interface StoredResponse {
  group: number;
  /** Null if the response was lost. */
  isNew: boolean | null;
  at: number;
}

interface ModelMap {
  id: number;
  /** Possible contents: of concurrent uploads any may have been the last. */
  markers: string[];
}

export interface ModelProject {
  id: number;
  name: string;
  key: string;
  /** By message. */
  groups: Map<string, ModelGroup>;
  storedResponses: Map<string, StoredResponse>;
  /** By release. */
  maps: Map<string, ModelMap>;
}

/** Bounds of the reports of a month that count against the quota. */
export interface Used {
  low: number;
  high: number;
  /** Reports that were accepted in the quota of a later month, because the clock was ahead. They count in this one. */
  merged: number;
}

export class Model {
  readonly projects = new Map<number, ModelProject>();
  /** Keys that must stay invalid. */
  readonly deadKeys = new Set<string>();
  readonly deletedProjects = new Set<number>();
  readonly deletedGroups = new Set<number>();
  readonly lastIds = { project: 0, group: 0, report: 0, map: 0 };
  /** The bug of each group. It never changes. */
  readonly bugOfGroup = new Map<number, string>();
  readonly used = new Map<number, Used>();

  /** Moves the reports of later months to this month, as the server does once its clock is set back. */
  mergeAfter(month: number): void {
    const used = this.usedIn(month);
    for (const [later, { low, high }] of this.used) {
      if (later <= month) continue;
      used.low += low;
      used.high += high;
      used.merged += high;
      this.used.delete(later);
    }
  }

  usedIn(month: number): Used {
    let used = this.used.get(month);
    if (!used) this.used.set(month, (used = { low: 0, high: 0, merged: 0 }));
    return used;
  }
}

/** Returns whether the server still knows the first response: its idempotency cache lasts a day. */
export function isRemembered(first: { at: number } | undefined, now: number): boolean {
  return first !== undefined && now - first.at < dayMs;
}

export function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
