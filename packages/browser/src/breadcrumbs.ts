import { options } from './client.ts';
import { guard } from './guard.ts';
import { normalize } from './normalize.ts';
import type { Breadcrumb } from './report.ts';

/**
 * Records a breadcrumb. `data` is copied and scrubbed only when an error is sent: pass a small object that no other
 * code changes.
 */
export type RecordBreadcrumb = (type: string, category: string, data: Record<string, unknown>) => void;

/** A breadcrumb in the buffer. `timestamp` is in milliseconds since 1970: a Date takes twice as long to create. */
export type BufferedBreadcrumb = Omit<Breadcrumb, 'timestamp'> & { timestamp: number };

let breadcrumbs: BufferedBreadcrumb[] = [];

export function clearBreadcrumbs(): void {
  breadcrumbs = [];
}

export const recordBreadcrumb: RecordBreadcrumb = (type, category, data) => {
  breadcrumbs.push({ timestamp: Date.now(), type, category, data });
  if (!(breadcrumbs.length <= (options?.maxBreadcrumbs as number))) breadcrumbs.shift();
};

/** Returns a copy of the buffer, newest last, or undefined if it is empty. */
export function currentBreadcrumbs(): BufferedBreadcrumb[] | undefined {
  return breadcrumbs[0] && [...breadcrumbs];
}

/** A breadcrumb of the page. Missing fields are filled in. */
export interface BreadcrumbInput {
  type?: string | undefined;
  category?: string | undefined;
  /** Becomes `data.message`. */
  message?: string | undefined;
  data?: Record<string, unknown> | undefined;
}

/** Adds a breadcrumb to the next reports. `data` is copied. */
export const addBreadcrumb = guard((input: BreadcrumbInput): void => {
  const { type = 'custom', category = type, message, data } = input;
  if (options)
    recordBreadcrumb(
      type + '',
      category + '',
      normalize({ message, ...Object(data) }, 1_000) as Record<string, unknown>,
    );
});
