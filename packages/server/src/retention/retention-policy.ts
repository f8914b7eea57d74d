import { limits } from '@service/protocol';
import { dayMs, hourMs, secondMs } from '../time/units.ts';

/*
 * What the server stores, how much of it, and for how long. Modules that apply a rule import it from here. For reports,
 * these are `ingest/record-report.ts`, which decides whether one is stored, `store/model/report-pointers.ts`, which
 * limits those of a group, `store/log/evict-reports.ts`, which deletes those of a project that is nearly full, and
 * `store/log/maintenance.ts`, which deletes expired ones.
 *
 * Counts that callers of the API see are in the protocol's `limits`. Unused source maps expire: see
 * `expire-source-maps.ts`. Sessions and tokens expire: see `credentials/lifetimes.ts`. Accounts whose address was not
 * confirmed expire with their team: see `accounts/register.ts`. Chunks of uploads expire: see
 * `sentry-uploads/chunk-store.ts`. The values that groups count are limited in `store/structures/memory-limits.ts`.
 *
 * Everything else is stored until it, its project, its user or its team is deleted: groups, payments and the events of
 * payment providers, AI explanations. Queued notifications and mails are removed once they are sent or dropped.
 */

// Reports. `retentionReports` and `retentionDays` are settings of the operator.

/**
 * After the first reports of a group, at most one is stored per interval: a burst of one error must not fill the disk.
 */
const storedReportIntervalMs = secondMs;

/** Returns whether one more report of a group is stored whole. `count` is the number of reports before it. */
export function isStored(count: number, lastStoredAt: number, at: number, retentionReports: number): boolean {
  return count < retentionReports || at - lastStoredAt >= storedReportIntervalMs;
}

/**
 * The part of a project's bytes per hour that it may store at once. Its reports are counted in any case, but those over
 * this budget are not stored.
 */
export const storedBurstHours = 1 / 16;

/**
 * The oldest reports of a project are deleted when its stored reports take this part of what they may. A report that
 * would exceed the limit before that is done is counted, but not stored.
 */
export const evictionStart = 0.95;
/** The part of the limit that is free after this deletion. */
export const freePartAfterEviction = 0.1;

/** Returns how many reports of a group are stored: its first ones, and as many of the newest. */
export function maxStoredReports(retentionReports: number): number {
  return 2 * retentionReports;
}

/** Returns the time, in milliseconds since 1970, before which a stored report is expired. */
export function oldestReportAt(now: number, retentionDays: number): number {
  return now - retentionDays * dayMs;
}

/**
 * Returns by how many milliseconds the clock of the machine may be ahead of the last time that is known to be real.
 * While the clock is further ahead, nothing expires. A smaller error deletes too early by at most a third of the
 * shortest retention.
 */
export function maxClockLeadMs(retentionDays: number, sourceMapDays: number): number {
  return Math.min(30, retentionDays / 3, sourceMapDays / 3) * dayMs;
}

/** How often expired reports are removed. Until then they are not shown. */
export const reportSweepIntervalMs = hourMs;

/** The bytes of a removed project, user or group are dropped from the log after this time at the latest. */
export const maxRemovedDataMs = dayMs;

// How far the counts of a group reach back.

/** Whole hours, for the trend in lists. */
export const trendHours = 24;
/** Days, for the details. */
export const dailyDays = 30;

// Responses by `event_id`. How long they are returned is in `ingest/idempotency.ts`.

/** The maximum number of responses of the whole server; the newest stay. */
export const maxEventIds = limits.eventIds;

// Projects and teams.

/** The maximum number of values per facet of a project; the newest stay. */
export const maxFacetValues = limits.facets;
/** The maximum months of usage per team. More than one, so that earlier counts still exist if a clock is set back. */
export const usageMonths = 24;
/**
 * The maximum number of remembered events. A client that reconnects to the live stream gets those that it has missed.
 */
export const maxLoggedEvents = 20_000;
