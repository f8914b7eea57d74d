import type { Chapter } from './chapter.ts';
import { accounts } from './chapters/accounts.ts';
import { billing } from './chapters/billing.ts';
import { conventions } from './chapters/conventions.ts';
import { cors } from './chapters/cors.ts';
import { everyOperation } from './chapters/every-operation.ts';
import { explanations } from './chapters/explanations.ts';
import { groups } from './chapters/groups.ts';
import { limits } from './chapters/limits.ts';
import { lists } from './chapters/lists.ts';
import { machineDescription } from './chapters/machine-description.ts';
import { members } from './chapters/members.ts';
import { metrics } from './chapters/metrics.ts';
import { notifications } from './chapters/notifications.ts';
import { operating } from './chapters/operating.ts';
import { origins } from './chapters/origins.ts';
import { payments } from './chapters/payments.ts';
import { problemBodies } from './chapters/problems.ts';
import { program } from './chapters/program.ts';
import { projects } from './chapters/projects.ts';
import { quota } from './chapters/quota.ts';
import { reports } from './chapters/reports.ts';
import { resolutions } from './chapters/resolution.ts';
import { sessionCookie } from './chapters/session-cookie.ts';
import { sourceMaps } from './chapters/source-maps.ts';
import { streamReaders } from './chapters/stream-readers.ts';
import { stream } from './chapters/stream.ts';
import { stripe } from './chapters/stripe.ts';
import { troubles } from './chapters/troubles.ts';

/** The whole contract. */
export const chapters: Chapter[] = [
  conventions,
  everyOperation,
  problemBodies,
  projects,
  reports,
  limits,
  quota,
  billing,
  payments,
  stripe,
  lists,
  groups,
  explanations,
  notifications,
  sourceMaps,
  stream,
  streamReaders,
  resolutions,
  cors,
  program,
  operating,
  metrics,
  accounts,
  sessionCookie,
  members,
  origins,
  machineDescription,
  troubles,
];
