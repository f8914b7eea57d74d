import { paths } from '../paths.ts';
import { StreamEvent, StreamQuery } from '../stream.ts';
import { groupExample } from './errors.ts';
import type { Operation } from './operation.ts';

const streamEventExample: StreamEvent = {
  type: 'group.updated',
  project_id: 1,
  at: '2026-11-20T12:03:00.250Z',
  group: groupExample,
};

export const streamOperations: Operation[] = [
  {
    id: 'openStream',
    method: 'get',
    path: paths.stream,
    tag: 'Live stream',
    summary: 'Subscribe to changes as they happen',
    description: [
      'Sends server-sent events for `EventSource`. Each event has an `id:` and one line of JSON as its `data:`, described by the schema. There is no `event:` field. The stream starts with `retry: 1000` and a comment, and sends a comment every 15 seconds.',
      'Updates of a group are sent at most four times per second, updates of the usage at most once. If more than 256 KiB are unread, the server closes the connection.',
      'To resume without a gap, send the id of the last event in the header `Last-Event-ID` or in the query. The server replays the missed events; `group.updated` and `usage.updated` can be delivered twice, another event only if the connection broke while events of the same moment were sent. It sends `reset` if there are too many missed events or they are too old: reload your lists. A `reset` with `"reason": "signed_out"` means that the session or token has ended; the stream ends with it.',
      'The limit is 20 streams per session or token, 1,000 per user, 1,200 per team and 2,000 per server. HTTP/1.0 is not supported.',
    ].join('\n\n'),
    auth: 'bearer',
    query: StreamQuery,
    responses: {
      200: {
        description:
          'The stream. It stays open until the client or the server closes it. The schema describes the data of one event.',
        body: { schema: StreamEvent, example: streamEventExample, type: 'text/event-stream' },
      },
    },
    problems: ['project_not_found', 'too_many_requests', 'http_version_not_supported'],
  },
];
