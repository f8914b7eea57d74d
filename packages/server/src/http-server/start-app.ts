import type { RequestListener } from 'node:http';
import { createApp } from '../app.ts';
import { startBackground } from '../background.ts';
import { createRequestHandler } from './request-handler.ts';
import type { Services } from '../services.ts';

/** Starts background work and returns the request handler. A separate entry, loaded after the port is open. */
export function startApp(services: Services): RequestListener {
  startBackground(services);
  return createRequestHandler(services, createApp(services));
}
