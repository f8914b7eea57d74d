import type { SdkPromise } from '../sdk-promise.ts';
import { callbacks } from './callbacks.ts';
import { clicks } from './clicks.ts';
import { documents } from './documents.ts';
import { floods } from './floods.ts';
import { hostilePages } from './hostile-pages.ts';
import { integrations } from './integrations.ts';
import { lifecycle } from './lifecycle.ts';
import { options } from './options.ts';
import { reportContents } from './report-contents.ts';
import { requests } from './requests.ts';
import { responses } from './responses.ts';
import { thrownValues } from './thrown-values.ts';

/** The rows of the second table in docs/browsers.md. */
export const abuses: SdkPromise[] = [
  thrownValues,
  options,
  callbacks,
  lifecycle,
  reportContents,
  clicks,
  requests,
  responses,
  integrations,
  hostilePages,
  documents,
  floods,
];
