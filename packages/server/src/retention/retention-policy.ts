import { limits } from '@service/protocol';
import { dayMs, hourMs, minuteMs, secondMs } from '../time/units.ts';

/*
 * What the server stores, how much of it, and for how long. Modules that apply a rule import it from here. Counts that
 * callers of the API see are in the protocol's `limits`. Unused source maps expire: see `expire-source-maps.ts`.
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
/** The part of the limit that is free after that. */
export const evictedPart = 0.1;

/** Returns how many reports of a group are stored: its first ones, and as many of the newest. */
export function maxStoredReports(retentionReports: number): number {
  return 2 * retentionReports;
}

/** Returns the time, in milliseconds since 1970, before which a stored report is expired. */
export function oldestReportAt(now: number, retentionDays: number): number {
  return now - retentionDays * dayMs;
}

/** Returns whether the time in a record, ISO 8601, has passed. An unreadable time counts as passed. */
export function isExpired(expiresAt: string, now: number): boolean {
  return !(Date.parse(expiresAt) > now);
}

/**
 * Returns by how many milliseconds the clock of the machine may be ahead of the time that the server knows, before
 * nothing expires by it. A clock that is wrong by less deletes a third of what is kept for the shortest time.
 */
export function maxClockLeadMs(retentionDays: number, sourceMapDays: number): number {
  return Math.min(30, retentionDays / 3, sourceMapDays / 3) * dayMs;
}

/** How often expired reports are removed. Until then they are not shown. */
export const reportSweepIntervalMs = hourMs;

/** The bytes of a removed project, user or group are dropped from the log after this time at the latest. */
export const maxRemovedDataMs = dayMs;

// Counts of a group.

/** Whole hours, for the trend in lists. */
export const trendHours = 24;
/** Days, for the details. */
export const dailyDays = 30;
/** Values of a tag such as the URL, and their characters. When there are more, the rarer half counts as other. */
export const maxTagValues = 100;
export const maxTagChars = 8_192;
/** The characters of a URL that is counted. */
export const maxTagUrlChars = 200;
/** Names of custom tags. Further names are not counted. */
export const maxTagNames = limits.searchableTags;
/** Values of one custom tag, and their characters. When there are more, the rarer half counts as other. */
export const maxCustomTagValues = 100;
export const maxCustomTagChars = 2_048;
/** Users that are counted exactly. A higher number is estimated. */
export const maxExactUsers = 1_000;

// Responses by `event_id`. How long they are returned is in `ingest/idempotency.ts`.

/** Responses of the whole server: the newest. */
export const maxEventIds = limits.eventIds;

// Projects and teams.

/** Values per facet of a project: the newest. */
export const maxFacetValues = limits.facets;
/**
 * Characters of the custom tags that the groups of a project count. When there are more, groups count no new name, and
 * a new value counts as other.
 */
export const maxProjectTagChars = 8 * 1024 * 1024;
/**
 * Bytes that the large groups of a project take in memory: what each has over this size. When there are more, a new
 * value of any tag counts as other.
 */
export const largeGroupBytes = 2 * 1024;
export const maxLargeGroupBytes = 32 * 1024 * 1024;
/** Months of usage per team. More than one, so that the earlier counts exist after a clock is set back. */
export const usageMonths = 24;
/** Events that a subscriber of the live stream can replay after a reconnect. */
export const maxLoggedEvents = 20_000;

// Access.

/** A token session ends when it was not refreshed for this time. */
export const tokenIdleMs = 30 * dayMs;
/** A cookie session ends when it was not used for this time … */
export const cookieIdleMs = 12 * hourMs;
/** … and in any case after this time. */
export const maxCookieMs = 30 * dayMs;
/** Sessions of one user. One more ends the oldest. */
export const maxSessionsPerUser = 100;
export const accessTokenSeconds = 15 * 60;
/** Sign-in links and invitations. */
export const oneTimeTokenMs = 24 * hourMs;
/** Links in mails that ask for a confirmation. */
export const confirmationMs = 7 * dayMs;
/** Failed sign-ins count towards the limits for this time. */
export const failedSignInMs = 15 * minuteMs;
