import { apiPrefix, paths, StreamQuery } from '@service/protocol';
import type { H3 } from 'h3';
import { accessExpiry } from '../accounts/access-expiry.ts';
import type { Caller } from '../accounts/caller.ts';
import { authenticate } from '../http/authenticate.ts';
import { assertStreams, setStreamHeaders, streamAnswer } from '../http/event-stream.ts';
import { readQuery } from '../http/query.ts';
import { findProject } from '../projects/projects.ts';
import type { Services } from '../services.ts';

/** Tells what happens, as it happens. */
export function streamRoutes(app: H3, services: Services): void {
  const { stream, store } = services;

  app.get(apiPrefix + paths.stream, async (event) => {
    assertStreams(event);
    const caller = await authenticate(services, event);
    const { project_id, last_event_id } = readQuery(event, StreamQuery);
    if (project_id !== undefined) findProject(services, caller, project_id);
    const seat = stream.subscribe({
      teamId: caller.teamId,
      projectId: project_id ?? null,
      knownBy: nameOf(caller),
      endsAt: () => accessExpiry(store.model, caller),
      // Who reconnects by itself does so at the address that it was given at first.
      lastEventId: event.req.headers.get('last-event-id') || last_event_id || null,
    });
    setStreamHeaders(event);
    if (event.req.method !== 'HEAD') return streamAnswer(event, seat);
    seat.leave();
    return '';
  });
}

/** The session or token that a caller is known by. */
function nameOf({ credential }: Caller): string {
  if (credential.kind === 'operator') return credential.kind;
  // A session is the same one by its Bearer and by its cookie.
  return `${credential.kind === 'token' ? credential.kind : 'session'} ${credential.id}`;
}
