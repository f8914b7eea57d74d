import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * An SDK, started as documented, with only a key and a target.
 *
 * @typedef {object} Product
 * @property {string} id
 * @property {string} short the name in a table
 * @property {string} name the name with the version
 * @property {string} start a module that starts it
 * @property {string} capture code that sets the page's `capture` to its call for a caught error
 * @property {Record<string, string>} [define] names that its documentation says to replace
 * @property {boolean} [https] sends only over https
 */

/** The cost of a page without an SDK is subtracted from that with one. */
export const control = {
  id: 'control',
  short: 'no SDK',
  name: 'no SDK',
  start: '',
  capture: 'globalThis.capture = () => {};',
};

/** A placeholder for the host of a product's sink, whose port is known later. */
export const sinkHost = '127.0.0.1:65535';

const hex = '0123456789abcdef0123456789abcdef';

/** @type {Product[]} */
export const products = [
  {
    id: 'service',
    short: 'ours',
    name: '@service/browser',
    start: `
      import { init } from '@service/browser';
      init({ apiKey: 'pk_${hex}', endpoint: 'http://${sinkHost}' });`,
    capture: `
      import { captureException } from '@service/browser';
      globalThis.capture = captureException;`,
  },
  {
    id: 'service-errors',
    short: 'ours, errors',
    name: '@service/browser/errors',
    start: `
      import { init } from '@service/browser/errors';
      init({ apiKey: 'pk_${hex}', endpoint: 'http://${sinkHost}' });`,
    capture: `
      import { captureException } from '@service/browser/errors';
      globalThis.capture = captureException;`,
  },
  {
    id: 'sentry',
    short: 'Sentry',
    name: `Sentry ${versionOf('@sentry/browser')}`,
    start: `
      import { init } from '@sentry/browser';
      init({ dsn: 'http://${hex}@${sinkHost}/1' });`,
    capture: `
      import { captureException } from '@sentry/browser';
      globalThis.capture = captureException;`,
  },
  {
    id: 'sentry-errors',
    short: 'Sentry, errors',
    name: 'Sentry, errors only',
    // As its documentation on tree shaking shows: a client with the given integrations only, and without optional code.
    define: { __SENTRY_DEBUG__: 'false', __SENTRY_TRACING__: 'false' },
    start: `
      import {
        BrowserClient, dedupeIntegration, defaultStackParser, getCurrentScope, globalHandlersIntegration,
        linkedErrorsIntegration, makeFetchTransport,
      } from '@sentry/browser';
      const client = new BrowserClient({
        dsn: 'http://${hex}@${sinkHost}/1',
        transport: makeFetchTransport,
        stackParser: defaultStackParser,
        integrations: [globalHandlersIntegration(), linkedErrorsIntegration(), dedupeIntegration()],
      });
      getCurrentScope().setClient(client);
      client.init();`,
    capture: `
      import { captureException } from '@sentry/browser';
      globalThis.capture = captureException;`,
  },
  {
    id: 'bugsnag',
    short: 'Bugsnag',
    name: `Bugsnag ${versionOf('@bugsnag/js')}`,
    start: `
      import Bugsnag from '@bugsnag/js';
      const sink = 'http://${sinkHost}';
      Bugsnag.start({ apiKey: '${hex}', endpoints: { notify: sink + '/notify', sessions: sink + '/sessions' } });`,
    capture: 'globalThis.capture = (error) => Bugsnag.notify(error);',
  },
  {
    id: 'rollbar',
    short: 'Rollbar',
    name: `Rollbar ${versionOf('rollbar')}`,
    start: `
      import Rollbar from 'rollbar';
      const rollbar = new Rollbar({
        accessToken: '${hex}',
        captureUncaught: true,
        captureUnhandledRejections: true,
        endpoint: 'http://${sinkHost}/api/1/item/',
      });`,
    capture: 'globalThis.capture = (error) => rollbar.error(error);',
  },
  {
    id: 'honeybadger',
    short: 'Honeybadger',
    name: `Honeybadger ${versionOf('@honeybadger-io/js')}`,
    start: `
      import Honeybadger from '@honeybadger-io/js';
      Honeybadger.configure({ apiKey: 'hbp_${hex}', endpoint: 'http://${sinkHost}' });`,
    capture: 'globalThis.capture = (error) => Honeybadger.notify(error);',
  },
  {
    id: 'hawk',
    short: 'Hawk',
    name: `Hawk ${versionOf('@hawk.so/javascript')}`,
    start: `
      import HawkCatcher from '@hawk.so/javascript';
      const hawk = new HawkCatcher({
        token: '${btoa(JSON.stringify({ integrationId: hex, secret: hex }))}',
        collectorEndpoint: 'ws://${sinkHost}/',
      });`,
    capture: 'globalThis.capture = (error) => hawk.send(error);',
  },
  {
    id: 'trackjs',
    short: 'TrackJS',
    name: `TrackJS ${versionOf('trackjs')}`,
    https: true,
    start: `
      import { TrackJS } from 'trackjs';
      TrackJS.install({ token: '${hex}', forwardingDomain: '${sinkHost}' });`,
    capture: 'globalThis.capture = (error) => TrackJS.track(error);',
  },
  {
    id: 'micro-sentry',
    short: 'micro-sentry',
    name: `micro-sentry ${versionOf('@micro-sentry/browser')}`,
    start: `
      import { BrowserMicroSentryClient } from '@micro-sentry/browser';
      const client = new BrowserMicroSentryClient({ dsn: 'http://${hex}@${sinkHost}/1' });`,
    capture: 'globalThis.capture = (error) => client.report(error);',
  },
];

/** @param {string} name of a package that is installed here */
function versionOf(name) {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../node_modules', name, 'package.json'), 'utf8')).version;
}
