// Code of an app, and code that must not compile. A test compiles it with every module resolution.
import {
  addBreadcrumb,
  captureConsole,
  captureException,
  captureFailedRequests,
  captureMessage,
  close,
  createClient,
  flush,
  init,
  offlineStorage,
  setMetadata,
  setTag,
  setTags,
  setUser,
  withScope,
} from '@service/browser';
import type {
  Breadcrumb,
  BreadcrumbInput,
  BrowserClient,
  CaptureContext,
  ErrorReport,
  Integration,
  Level,
  Options,
  Scope,
  User,
} from '@service/browser';
import * as errors from '@service/browser/errors';
import { snippet } from '@service/browser/loader';
import { ErrorBoundary, reactErrorHandlers, type ErrorBoundaryProps } from '@service/browser/react';
import { captureBoundaryError } from '@service/browser/svelte';
import { resetServiceSDK } from '@service/browser/testing';
import { errorReporting } from '@service/browser/vue';
import { createElement } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createApp } from 'vue';

const level: Level = 'warning';
const user: User = { id: 7, name: 'Ada', email: null };
interface Cart {
  items: number;
}
const cart: Cart = { items: 3 };
const breadcrumb: BreadcrumbInput = { category: 'cart', message: 'filled', data: cart };
const context: CaptureContext = {
  level,
  user,
  metadata: cart,
  tags: { plan: 'free', beta: true },
  fingerprint: 'cart',
};
const options: Options = {
  apiKey: 'pk_test',
  endpoint: 'https://errors.example.com',
  release: null,
  integrations: [captureConsole(), captureFailedRequests({ isFailure: (status) => status > 399 }), offlineStorage()],
  beforeSend(report: ErrorReport) {
    const breadcrumbs: Breadcrumb[] | undefined = report.breadcrumbs;
    return breadcrumbs ? report : null;
  },
};
init(options);
errors.init(options);
export const eventId: string | undefined = captureException(new Error('no price'), context);
export const result: number = withScope((scope: Scope) => {
  scope.setFingerprint(['cart']);
  return 1;
});
export const client: BrowserClient = createClient(options);
export const integration: Integration = captureConsole();
captureMessage('no figs', { level: 'info' });
addBreadcrumb(breadcrumb);
setUser(null);
setMetadata({ cart: null });
setTag('plan', null);
setTags({ seats: 4 });
export const isClosed: Promise<boolean> = close();
export const isReset: Promise<void> = resetServiceSDK();
export const isSent: Promise<boolean> = flush(500);
export const inline: string = `<script>${snippet}</script>`;

const props: ErrorBoundaryProps = {
  fallback: (error, reset) => createElement('button', { onClick: reset }, String(error)),
  onError: (error, { componentStack }) => captureMessage(`${String(error)} ${componentStack}`),
};
const tree = createElement(ErrorBoundary, props, createElement('p'));
createRoot(document.body, reactErrorHandlers()).render(tree);
hydrateRoot(document.body, createElement(ErrorBoundary, { fallback: 'Sorry' }, tree), reactErrorHandlers());

createApp({}).use(errorReporting).mount('#app');

/** Called like `<svelte:boundary onerror>`. */
export const onerror: (error: unknown, reset: () => void) => void = captureBoundaryError;

// @ts-expect-error -- the key is required
init({ endpoint: 'https://errors.example.com' });
// @ts-expect-error -- the level does not exist
captureMessage('no figs', { level: 'deadly' });
// @ts-expect-error -- a fallback is not an element class
createElement(ErrorBoundary, { fallback: Symbol('sorry') });
