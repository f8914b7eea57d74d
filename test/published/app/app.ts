// Code of an app, and code that must not compile. A test compiles it with every module resolution.
import {
  addBreadcrumb,
  captureException,
  captureMessage,
  close,
  flush,
  init,
  setMetadata,
  setUser,
} from '@service/browser';
import type { Breadcrumb, BreadcrumbInput, CaptureContext, Level, Options, Report, User } from '@service/browser';
import * as errors from '@service/browser/errors';
import { snippet } from '@service/browser/loader';
import { ErrorBoundary, reactErrorHandlers, type ErrorBoundaryProps } from '@service/browser/react';
import { captureBoundaryError } from '@service/browser/svelte';
import { errorReporting } from '@service/browser/vue';
import { createElement } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createApp } from 'vue';

const level: Level = 'warning';
const user: User = { id: '7' };
const breadcrumb: BreadcrumbInput = { category: 'cart', message: 'filled', data: { items: 3 } };
const context: CaptureContext = { level, user, metadata: { cart: 3 } };
const options: Options = {
  apiKey: 'pk_test',
  endpoint: 'https://errors.example.com',
  release: '1.2.0',
  beforeSend(report: Report) {
    const breadcrumbs: Breadcrumb[] | undefined = report.breadcrumbs;
    return breadcrumbs ? report : null;
  },
};
init(options);
errors.init(options);
captureException(new Error('no price'), context);
captureMessage('no figs', { level: 'info' });
addBreadcrumb(breadcrumb);
setUser(null);
setMetadata({ cart: null });
close();
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
captureMessage('no figs', { level: 'fatal' });
// @ts-expect-error -- a fallback is not an element class
createElement(ErrorBoundary, { fallback: Symbol('sorry') });
