import type { Suite } from './suite.ts';
import { accounts } from './suites/accounts.ts';
import { billing } from './suites/billing.ts';
import { conventions } from './suites/conventions.ts';
import { cors } from './suites/cors.ts';
import { everyOperation } from './suites/every-operation.ts';
import { explanations } from './suites/explanations.ts';
import { groups } from './suites/groups.ts';
import { limits } from './suites/limits.ts';
import { lists } from './suites/lists.ts';
import { openapi } from './suites/openapi.ts';
import { members } from './suites/members.ts';
import { metrics } from './suites/metrics.ts';
import { notifications } from './suites/notifications.ts';
import { commands } from './suites/commands.ts';
import { origins } from './suites/origins.ts';
import { payments } from './suites/payments.ts';
import { problemBodies } from './suites/problems.ts';
import { program } from './suites/program.ts';
import { projects } from './suites/projects.ts';
import { quota } from './suites/quota.ts';
import { reports } from './suites/reports.ts';
import { resolution } from './suites/resolution.ts';
import { sessionCookie } from './suites/session-cookie.ts';
import { sourceMaps } from './suites/source-maps.ts';
import { streamConnections } from './suites/stream-connections.ts';
import { stream } from './suites/stream.ts';
import { stripe } from './suites/stripe.ts';
import { failures } from './suites/failures.ts';

/** The whole contract. */
export const suites: Suite[] = [
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
  streamConnections,
  resolution,
  cors,
  program,
  commands,
  metrics,
  accounts,
  sessionCookie,
  members,
  origins,
  openapi,
  failures,
];
