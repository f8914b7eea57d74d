import { options } from './client.ts';
import { copy } from './copy.ts';
import { guard } from './guard.ts';
import type { Breadcrumb } from './report.ts';

/** Notes a breadcrumb. `data` is kept as it is until an error is sent: it must be small, and nobody else's. */
export type Note = (type: string, category: string, data: Record<string, unknown>) => void;

/** A breadcrumb as it is kept: with milliseconds since 1970, for a Date takes twice as long to make. */
export type Crumb = Omit<Breadcrumb, 'timestamp'> & { timestamp: number };

let trail: Crumb[] = [];

/** Forgets all. */
export function clearTrail(): void {
  trail = [];
}

export const note: Note = (type, category, data) => {
  trail.push({ timestamp: Date.now(), type, category, data });
  if (!(trail.length <= (options?.maxBreadcrumbs as number))) trail.shift();
};

/** The breadcrumbs as they are now, the newest last. */
export function crumbs(): Crumb[] | undefined {
  return trail[0] && [...trail];
}

/** What the page may say of a breadcrumb. Whatever is missing is filled in. */
export interface BreadcrumbInput {
  type?: string | undefined;
  category?: string | undefined;
  /** Becomes `data.message`. */
  message?: string | undefined;
  data?: Record<string, unknown> | undefined;
}

/** Adds a step to the trail that goes along with the next errors. `data` is copied. */
export const addBreadcrumb = guard((given: BreadcrumbInput): void => {
  const { type = 'custom', category = type, message, data } = given;
  if (options) note(type + '', category + '', copy({ message, ...Object(data) }, 1_000) as Record<string, unknown>);
});
