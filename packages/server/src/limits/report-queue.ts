import { ProblemError } from '../problem.ts';
import { FairShares } from './fair-shares.ts';

/** In each iteration of the event loop, work is started for this long. Other requests are read between iterations. */
const iterationMs = 4;
/** The maximum number of waiting reports of one team, and of their bytes. Further ones are rejected. */
const maxWaiting = 10_000;
const maxWaitingBytes = 16 * 1024 * 1024;
/** The maximum bytes of all waiting reports. Above, the newest report of the team with the most bytes is rejected. */
const maxTotalBytes = 24 * 1024 * 1024;
const waitingRetrySeconds = 5;

/** The team and project of a report. Teams take turns, and so do the projects of a team. */
export interface ReportSender {
  teamId: number;
  projectId: number;
}

interface WaitingReport {
  bytes: number;
  start: () => void;
  reject: (error: ProblemError) => void;
}

interface WaitingProject {
  waiting: WaitingReport[];
  bytes: number;
}

interface WaitingTeam {
  projects: Map<number, WaitingProject>;
  shares: FairShares;
  count: number;
  bytes: number;
}

/**
 * Serves teams by turns when reports arrive faster than they can be handled. As long as the server keeps up, a report
 * starts immediately. Otherwise it waits, and each waiting team gets the same share of time: one that sends a thousand
 * reports, or reports of a megabyte, delays the next report of another one by a single report.
 */
export class ReportQueue {
  /** Number of reports that were rejected because too many, or too large ones, were waiting. */
  rejectedCount = 0;
  readonly #now: () => number;
  readonly #teams = new Map<number, WaitingTeam>();
  readonly #shares = new FairShares();
  #bytes = 0;
  #isScheduled = false;
  /** The time of `#now` until which work may start in this iteration of the event loop. */
  #endsAt = -Infinity;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Runs work for a sender when its turn comes. `findSender` is called only if the work has to wait. `bytes` is the
   * memory that the waiting work holds. Rejects with `overloaded` if too many reports of the team wait. `work` must
   * reject instead of throwing.
   */
  run<Result>(findSender: () => ReportSender, bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#teams.size === 0 && this.#hasTimeLeft()) return work();
    const { teamId, projectId } = findSender();
    if (!this.#hasRoom(teamId, bytes)) return Promise.reject(this.#overloaded());
    const team = this.#teams.get(teamId) ?? { projects: new Map(), shares: new FairShares(), count: 0, bytes: 0 };
    this.#schedule();
    return new Promise((resolve, reject) => {
      const project = team.projects.get(projectId) ?? { waiting: [], bytes: 0 };
      project.waiting.push({ bytes, start: () => resolve(work()), reject });
      team.projects.set(projectId, project);
      this.#teams.set(teamId, team);
      this.#count(team, project, { reports: 1, bytes });
      while (this.#bytes > maxTotalBytes) this.#rejectNewest();
    });
  }

  /** Throws `overloaded` if another report of a team would be rejected. */
  assertRoom(teamId: number, bytes: number): void {
    if (!this.#hasRoom(teamId, bytes)) throw this.#overloaded();
  }

  #hasRoom(teamId: number, bytes: number): boolean {
    const team = this.#teams.get(teamId);
    return !team || (team.count < maxWaiting && team.bytes + bytes <= maxWaitingBytes);
  }

  #overloaded(): ProblemError {
    this.rejectedCount++;
    return new ProblemError('overloaded', 'Too many reports of this team are waiting. Try again later.', {
      retryAfterSeconds: waitingRetrySeconds,
    });
  }

  /** Returns whether this iteration has time left. The first call in an iteration starts its time. */
  #hasTimeLeft(): boolean {
    const now = this.#now();
    if (!this.#isScheduled) {
      this.#endsAt = now + iterationMs;
      this.#schedule();
    }
    return now < this.#endsAt;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startWaiting());
  }

  #startWaiting(): void {
    this.#isScheduled = false;
    const endsAt = this.#now() + iterationMs;
    while (this.#teams.size > 0 && this.#now() < endsAt) this.#startNext();
    if (this.#teams.size > 0) this.#schedule();
  }

  #startNext(): void {
    const teamId = this.#shares.next(this.#teams.keys());
    const team = this.#teams.get(teamId);
    if (!team) return;
    const projectId = team.shares.next(team.projects.keys());
    const next = this.#take(teamId, team, projectId, 'oldest');
    const startedAt = this.#now();
    next?.start();
    const ms = this.#now() - startedAt;
    this.#shares.charge(teamId, ms);
    team.shares.charge(projectId, ms);
  }

  /** Rejects the newest report of the team with the most waiting bytes. */
  #rejectNewest(): void {
    const [teamId, team] = withMaxBytes(this.#teams);
    const [projectId] = withMaxBytes(team.projects);
    this.#take(teamId, team, projectId, 'newest')?.reject(this.#overloaded());
  }

  /**
   * Removes a waiting report, and moves its team and project behind the others: they come last among those that have
   * used the same time.
   */
  #take(teamId: number, team: WaitingTeam, projectId: number, which: 'oldest' | 'newest'): WaitingReport | undefined {
    const project = team.projects.get(projectId);
    const taken = which === 'oldest' ? project?.waiting.shift() : project?.waiting.pop();
    if (!project || !taken) return undefined;
    this.#count(team, project, { reports: -1, bytes: -taken.bytes });
    team.projects.delete(projectId);
    if (project.waiting.length > 0) team.projects.set(projectId, project);
    this.#teams.delete(teamId);
    if (team.count > 0) this.#teams.set(teamId, team);
    return taken;
  }

  #count(team: WaitingTeam, project: WaitingProject, { reports, bytes }: { reports: number; bytes: number }): void {
    team.count += reports;
    team.bytes += bytes;
    project.bytes += bytes;
    this.#bytes += bytes;
  }
}

/** Returns the entry with the most bytes. */
function withMaxBytes<Value extends { bytes: number }>(
  entries: ReadonlyMap<number, Value>,
): [id: number, value: Value] {
  return [...entries].reduce((max, next) => (next[1].bytes > max[1].bytes ? next : max));
}
