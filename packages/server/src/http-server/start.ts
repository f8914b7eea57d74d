import type { RequestListener } from 'node:http';
import { createApp } from '../app.ts';
import { startBackground } from '../background.ts';
import { createListener } from './request-handler.ts';
import type { Services } from '../services.ts';

/** Starts what answers requests and what works beside them: in one file, for the program loads it once its port is open. */
export function serve(services: Services): RequestListener {
  startBackground(services);
  return createListener(services, createApp(services));
}
