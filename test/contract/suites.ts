import type { Suite } from './suite.ts';
import { accounts } from './suites/accounts.ts';
import { billing } from './suites/billing.ts';
import { commands } from './suites/commands.ts';
import { conventions } from './suites/conventions.ts';
import { cors } from './suites/cors.ts';
import { everyOperation } from './suites/every-operation.ts';
import { explanations } from './suites/explanations.ts';
import { failures } from './suites/failures.ts';
import { groups } from './suites/groups.ts';
import { limits } from './suites/limits.ts';
import { lists } from './suites/lists.ts';
import { members } from './suites/members.ts';
import { merges } from './suites/merges.ts';
import { metrics } from './suites/metrics.ts';
import { notifications } from './suites/notifications.ts';
import { openapi } from './suites/openapi.ts';
import { origins } from './suites/origins.ts';
import { paymentWebhook } from './suites/payment-webhook.ts';
import { payments } from './suites/payments.ts';
import { personalTokens } from './suites/personal-tokens.ts';
import { problemBodies } from './suites/problems.ts';
import { program } from './suites/program.ts';
import { projects } from './suites/projects.ts';
import { quota } from './suites/quota.ts';
import { reportContent } from './suites/report-content.ts';
import { reports } from './suites/reports.ts';
import { resolution } from './suites/resolution.ts';
import { sessionCookie } from './suites/session-cookie.ts';
import { sessions } from './suites/sessions.ts';
import { signIn } from './suites/sign-in.ts';
import { sourceMaps } from './suites/source-maps.ts';
import { streamConnections } from './suites/stream-connections.ts';
import { stream } from './suites/stream.ts';
import { stripe } from './suites/stripe.ts';

/** The whole contract. */
export const suites: Suite[] = [
  conventions,
  everyOperation,
  problemBodies,
  projects,
  reports,
  reportContent,
  limits,
  quota,
  billing,
  payments,
  paymentWebhook,
  stripe,
  lists,
  groups,
  merges,
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
  signIn,
  sessions,
  sessionCookie,
  members,
  personalTokens,
  origins,
  openapi,
  failures,
];
