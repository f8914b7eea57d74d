import type { Chapter } from './chapter.ts';
import { conventions } from './chapters/conventions.ts';
import { everyOperation } from './chapters/every-operation.ts';
import { quota } from './chapters/quota.ts';
import { reports } from './chapters/reports.ts';
import { groups } from './chapters/groups.ts';
import { limits } from './chapters/limits.ts';
import { lists } from './chapters/lists.ts';
import { cors } from './chapters/cors.ts';
import { program } from './chapters/program.ts';
import { sourceMaps } from './chapters/source-maps.ts';
import { problemBodies } from './chapters/problems.ts';
import { projects } from './chapters/projects.ts';

/** The whole contract. */
export const chapters: Chapter[] = [
  conventions,
  everyOperation,
  problemBodies,
  projects,
  reports,
  limits,
  quota,
  lists,
  groups,
  sourceMaps,
  cors,
  program,
];
