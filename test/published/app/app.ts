// What somebody's app writes, and what it must not be able to write. A test compiles it by every way to resolve modules.
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
    const trail: Breadcrumb[] | undefined = report.breadcrumbs;
    return trail ? report : null;
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

/** As `<svelte:boundary onerror>` calls it. */
export const onerror: (error: unknown, reset: () => void) => void = captureBoundaryError;

// @ts-expect-error -- without a key nothing can be reported
init({ endpoint: 'https://errors.example.com' });
// @ts-expect-error -- there is no such level
captureMessage('no figs', { level: 'fatal' });
// @ts-expect-error -- a fallback is no element's class
createElement(ErrorBoundary, { fallback: Symbol('sorry') });
