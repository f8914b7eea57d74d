import { bugs } from './bugs.mjs';
import { bugs as workshopBugs } from './workshop/bugs.mjs';

/**
 * An app that is built and whose bugs are triggered in the browsers.
 *
 * @typedef {object} App
 * @property {string} name
 * @property {string} sources the folder of its releases
 * @property {string} captured the folder of the errors that its bugs throw
 * @property {readonly import('./bugs.mjs').Bug[]} bugs
 * @property {Record<string, string>} entries paths below a release, by the name of the bundle
 * @property {boolean} hasTruth true if it is captured without a bundler, too, which gives the true location of frames
 */

/** @type {readonly App[]} */
export const apps = [
  {
    name: 'ferry',
    sources: 'app',
    captured: 'captured',
    bugs,
    entries: { main: 'src/main.tsx', 'tide-worker': 'src/worker/tide-worker.ts' },
    hasTruth: true,
  },
  {
    name: 'workshop',
    sources: 'workshop/app',
    captured: 'workshop/captured',
    bugs: workshopBugs,
    entries: { main: 'src/main.ts' },
    hasTruth: false,
  },
];
