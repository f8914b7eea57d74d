import { H3, type H3Event } from 'h3';
import { assertStorageWritable } from './http/storage-writable.ts';
import { compress } from './http/compress.ts';
import { handleOtherMethods } from './http/handle-other-methods.ts';
import { setCommonHeaders } from './http/response-headers.ts';
import { respondWithProblem } from './http/problem-response.ts';
import { noSuchPath } from './http/no-such-path.ts';
import { watchRequests } from './http/watch-requests.ts';
import { explanationRoutes } from './routes/explanations.ts';
import { authRoutes } from './routes/auth.ts';
import { billingRoutes } from './routes/billing.ts';
import { clientPackageRoutes } from './routes/client-packages.ts';
import { confirmRoutes } from './routes/confirm.ts';
import { docsRoutes } from './routes/docs.ts';
import { errorRoutes } from './routes/errors.ts';
import { healthRoutes } from './routes/health.ts';
import { memberRoutes } from './routes/members.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { originRoutes } from './routes/origins.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { pageRoutes } from './routes/pages.ts';
import { paymentRoutes } from './routes/payments.ts';
import { personalTokenRoutes } from './routes/personal-tokens.ts';
import { projectRoutes } from './routes/projects.ts';
import { readSentryTarget } from './sentry-intake/sentry-target.ts';
import { reportPath } from './receive/receive-report.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { sentryIntakeRoutes } from './routes/sentry-intake.ts';
import { sentryUploadRoutes } from './routes/sentry-uploads.ts';
import { sourceMapRoutes } from './routes/source-maps.ts';
import { streamRoutes } from './routes/stream.ts';
import type { Services } from './services.ts';

/** Creates the H3 app with all routes. */
export function createApp(services: Services): H3 {
  const watch = watchRequests(services);
  const app = new H3({
    // respondWithProblem logs errors, each once and with its request id.
    silent: true,
    onRequest(event) {
      // The handlers of reports set the headers themselves.
      if (isReport(event)) return;
      setCommonHeaders(event);
      watch.start(event);
    },
    onResponse: (response, event) => watch.end(response, event),
    onError: (error, event) => respondWithProblem(error, event, services.log),
  });
  app.use((event) => (isReport(event) ? undefined : assertStorageWritable(event, services.store)));
  // Responses to writes are small.
  app.use(compress, { method: 'GET' });
  authRoutes(app, services);
  confirmRoutes(app, services);
  personalTokenRoutes(app, services);
  memberRoutes(app, services);
  projectRoutes(app, services);
  sourceMapRoutes(app, services);
  errorRoutes(app, services);
  sentryIntakeRoutes(app, services);
  sentryUploadRoutes(app, services);
  explanationRoutes(app, services);
  streamRoutes(app, services);
  notificationRoutes(app, services);
  billingRoutes(app, services);
  paymentRoutes(app, services);
  sandboxRoutes(app, services);
  originRoutes(app, services);
  docsRoutes(app, services);
  clientPackageRoutes(app, services);
  healthRoutes(app, services);
  metricsRoutes(app, services);
  pageRoutes(app, services);
  handleOtherMethods(app);
  app.all('/**', noSuchPath);
  return app;
}

function isReport({ req, url: { pathname } }: H3Event): boolean {
  return req.method === 'POST' && (pathname === reportPath || readSentryTarget(pathname) !== null);
}
