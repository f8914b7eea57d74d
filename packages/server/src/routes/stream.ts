import { apiPrefix, paths, StreamQuery } from '@service/protocol';
import type { H3 } from 'h3';
import { accessExpiry } from '../accounts/access-expiry.ts';
import type { Caller } from '../accounts/caller.ts';
import { authenticate } from '../http/authenticate.ts';
import { assertStreams, setStreamHeaders, streamResponse } from '../http/event-stream.ts';
import { readQuery } from '../http/query.ts';
import { findProject } from '../projects/projects.ts';
import type { Services } from '../services.ts';

/** The live stream of events. */
export function streamRoutes(app: H3, services: Services): void {
  const { stream, store } = services;

  app.get(apiPrefix + paths.stream, async (event) => {
    assertStreams(event);
    const caller = await authenticate(services, event);
    const { project_id, last_event_id } = readQuery(event, StreamQuery);
    if (project_id !== undefined) findProject(services, caller, project_id);
    const subscription = stream.subscribe({
      teamId: caller.teamId,
      userId: caller.userId,
      projectId: project_id ?? null,
      limitKey: limitKeyOf(caller),
      endsAt: () => accessExpiry(store.model, caller),
      // A browser that reconnects uses the original URL, so the header is newer than the parameter.
      lastEventId: event.req.headers.get('last-event-id') || last_event_id || null,
    });
    setStreamHeaders(event);
    if (event.req.method !== 'HEAD') return streamResponse(event, subscription);
    subscription.cancel();
    return '';
  });
}

/** Returns the key under which the streams of the caller's session or token are counted for their limit. */
function limitKeyOf({ credential }: Caller): string {
  if (credential.kind === 'operator') return credential.kind;
  // The Bearer token and the cookie of a session count together.
  return `${credential.kind === 'token' ? credential.kind : 'session'} ${credential.id}`;
}
