import { ProblemError } from '../problem.ts';
import { FairShares } from './fair-shares.ts';

/** In each iteration of the event loop, work is started for this long. Other requests are read between iterations. */
const iterationMs = 4;
/** The maximum number of waiting reports of one team, and of their bytes. Further ones are rejected. */
const maxWaiting = 10_000;
const maxWaitingBytes = 16 * 1024 * 1024;
/** The maximum bytes of all waiting reports. Above, reports of the team with the most bytes are rejected. */
const maxTotalBytes = 24 * 1024 * 1024;
const waitingRetrySeconds = 5;
/** Reports above this size are large. */
const largeReportBytes = 16 * 1024;
/**
 * The maximum bytes of the large reports that are started and not yet stored: about one batch of the log. A single one
 * may be larger. A small report waits for the batch that is being written and for its own, so the large ones must not
 * fill several batches.
 */
const maxStartedLargeBytes = 1024 * 1024;

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
 * starts immediately. Otherwise it waits, and each waiting team gets the same share of time. So a team that sends a
 * thousand reports, or reports of a megabyte, delays the next report of another team by a single report. A large report
 * also waits while the started large ones that are not yet stored have too many bytes.
 */
export class ReportQueue {
  /** Number of reports that were rejected because too many, or too large ones, were waiting. */
  rejectedCount = 0;
  readonly #now: () => number;
  readonly #teams = new Map<number, WaitingTeam>();
  readonly #shares = new FairShares();
  #bytes = 0;
  /** Bytes of the large reports that are started and not yet stored. */
  #startedLargeBytes = 0;
  /** Bytes of the large reports that were started while another large one had to wait. */
  #overtakingBytes = 0;
  #isScheduled = false;
  /** The time of `#now` until which work may start in this iteration of the event loop. */
  #endsAt = -Infinity;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Runs work for a sender as soon as the others allow. `findSender` is called only if the work has to wait. `bytes` is
   * the memory that it holds. Rejects with `overloaded` if too many reports of the team wait, or if those of all teams
   * have too many bytes and the team has the largest part of them. `work` resolves once the report is stored, and must
   * reject instead of throwing.
   */
  run<Result>(findSender: () => ReportSender, bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#teams.size === 0 && this.#mayStart(bytes) && this.#hasTimeLeft()) return this.#start(bytes, work);
    const { teamId, projectId } = findSender();
    if (!this.#hasRoom(teamId, bytes)) return Promise.reject(this.#overloaded());
    const team = this.#teams.get(teamId) ?? { projects: new Map(), shares: new FairShares(), count: 0, bytes: 0 };
    this.#schedule();
    return new Promise((resolve, reject) => {
      const project = team.projects.get(projectId) ?? { waiting: [], bytes: 0 };
      project.waiting.push({ bytes, start: () => resolve(this.#start(bytes, work)), reject });
      team.projects.set(projectId, project);
      this.#teams.set(teamId, team);
      this.#count(team, project, { reports: 1, bytes });
      while (this.#bytes > maxTotalBytes) this.#rejectNewest();
    });
  }

  /** Throws `overloaded` if the team has no room for another waiting report of this size. */
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

  /**
   * Returns whether a report of this size may start now. A large one waits while too many bytes of large reports are
   * started. Others that fit may overtake it, up to `maxStartedLargeBytes`: from then on no large report starts before
   * all started ones are stored.
   */
  #mayStart(bytes: number): boolean {
    const started = this.#startedLargeBytes;
    if (bytes <= largeReportBytes || started === 0) return true;
    return this.#overtakingBytes < maxStartedLargeBytes && started + bytes <= maxStartedLargeBytes;
  }

  #start<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (bytes <= largeReportBytes) return work();
    this.#startedLargeBytes += bytes;
    return work().finally(() => {
      this.#startedLargeBytes -= bytes;
      if (this.#startedLargeBytes === 0) this.#overtakingBytes = 0;
      if (this.#teams.size > 0) this.#schedule();
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
    while (this.#teams.size > 0 && this.#now() < endsAt) {
      // All wait for large reports. `#start` schedules again once one of these is stored.
      if (!this.#startNext()) return;
    }
    if (this.#teams.size > 0) this.#schedule();
  }

  /** Starts the next report. Returns false if the next one of each project waits for a large report. */
  #startNext(): boolean {
    const teamIds = this.#free(this.#teams, (team) => this.#freeProjects(team).length > 0);
    if (teamIds.length === 0) return false;
    const teamId = this.#shares.next(teamIds);
    const team = this.#teams.get(teamId);
    if (!team) return false;
    const projectId = team.shares.next(this.#freeProjects(team));
    const isOvertaking = this.#isAnyBlocked();
    const report = this.#take(teamId, team, projectId, 'oldest');
    if (isOvertaking && report && report.bytes > largeReportBytes) this.#overtakingBytes += report.bytes;
    const startedAt = this.#now();
    report?.start();
    const ms = this.#now() - startedAt;
    this.#shares.charge(teamId, ms);
    team.shares.charge(projectId, ms);
    return true;
  }

  /** Returns whether the next report of any project waits for large reports. */
  #isAnyBlocked(): boolean {
    if (this.#startedLargeBytes === 0) return false;
    for (const { projects } of this.#teams.values())
      for (const {
        waiting: [next],
      } of projects.values())
        if (next && !this.#mayStart(next.bytes)) return true;
    return false;
  }

  #freeProjects({ projects }: WaitingTeam): number[] {
    return this.#free(projects, ({ waiting: [next] }) => next !== undefined && this.#mayStart(next.bytes));
  }

  /** Returns the ids of the teams or projects that wait for no large report. */
  #free<Value>(waiting: ReadonlyMap<number, Value>, isFree: (value: Value) => boolean): number[] {
    if (this.#startedLargeBytes === 0) return [...waiting.keys()];
    return [...waiting].flatMap(([id, value]) => (isFree(value) ? [id] : []));
  }

  /**
   * Rejects a report of the team with the most waiting bytes: the newest of its project with the most waiting bytes.
   */
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
