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

/** The body of POST and PUT /projects. */
export const ProjectInput = z.strictObject({
  name: z.string().trim().min(1).max(limits.projectNameChars),
});
export type ProjectInput = z.infer<typeof ProjectInput>;
