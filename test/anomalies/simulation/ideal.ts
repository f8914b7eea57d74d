import type { GroupStatus } from '../../../packages/protocol/src/index.ts';

/*
 * What is known of a server that keeps its promises: facts from its answers, and between two quiet moments
 * no more than those allow.
 */

export interface IdealGroup {
  id: number;
  count: number;
  status: GroupStatus;
  reopenCount: number;
  firstSeen: string;
  /** Ids of the kept reports by their marks. */
  kept: Map<string, number>;
  keptAt: Map<string, number>;
  /** Those that were too old: a clock that is set back may show them again, until they are taken out. */
  outdated: Map<string, number>;
}

interface FirstAnswer {
  group: number;
  /** Null: the answer went astray. */
  isNew: boolean | null;
  at: number;
}

interface IdealMap {
  id: number;
  /** What it may hold: of uploads that came together any may have been the last. */
  marks: string[];
}

export interface IdealProject {
  id: number;
  name: string;
  key: string;
  /** By message. */
  groups: Map<string, IdealGroup>;
  firstAnswers: Map<string, FirstAnswer>;
  /** By release. */
  maps: Map<string, IdealMap>;
}

/** Reports of a month that count against the quota: at least and at most. */
export interface Used {
  low: number;
  high: number;
}

export class Ideal {
  readonly projects = new Map<number, IdealProject>();
  /** Keys that never work again. */
  readonly deadKeys = new Set<string>();
  readonly deletedProjects = new Set<number>();
  readonly deletedGroups = new Set<number>();
  readonly lastIds = { project: 0, group: 0, report: 0, map: 0 };
  /** Which bug a group is for, for good. */
  readonly bugOfGroup = new Map<number, string>();
  readonly used = new Map<number, Used>();

  usedIn(month: number): Used {
    let used = this.used.get(month);
    if (!used) this.used.set(month, (used = { low: 0, high: 0 }));
    return used;
  }
}
