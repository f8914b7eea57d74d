import * as z from 'zod';
import { limits } from './limits.ts';
import { Id, Timestamp } from './primitives.ts';

/** A web app whose errors are collected. Its key is public: it ships in web pages and can only send reports. */
export const Project = z.object({
  id: Id,
  name: z.string(),
  api_key: z.string(),
  created_at: Timestamp,
});
export type Project = z.infer<typeof Project>;

/** The response of GET /projects/{id}. */
export const ProjectDetails = Project.extend({
  /** The address for Sentry's SDKs and tools. Its key is derived from `api_key`. */
  dsn: z.string(),
});
export type ProjectDetails = z.infer<typeof ProjectDetails>;

/** The body of POST and PUT /projects. */
export const ProjectInput = z.strictObject({
  name: z.string().trim().min(1).max(limits.projectNameChars),
});
export type ProjectInput = z.infer<typeof ProjectInput>;

/** Counts by name. */
const Counts = z.record(z.string(), z.int());

/** What SDKs of Sentry sent besides errors, and the errors that they dropped themselves. */
export const DroppedItems = z.object({
  /** The start of the server. */
  since: Timestamp,
  /** Items that were sent and are not stored, by kind. */
  sent: Counts,
  /** Errors that were never sent, by reason. */
  unsent: Counts,
});
export type DroppedItems = z.infer<typeof DroppedItems>;
