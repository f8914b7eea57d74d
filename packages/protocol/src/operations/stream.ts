import { paths } from '../paths.ts';
import { StreamEvent, StreamQuery } from '../stream.ts';
import { groupExample } from './errors.ts';
import type { Operation } from './operation.ts';

const eventExample: StreamEvent = {
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
    summary: 'Follow what happens, as it happens',
    description: [
      'Server-sent events, as `EventSource` reads them: each has an `id:` and, as its `data:`, one line of JSON, which is what the schema describes; none has a name of its own. It begins with `retry: 1000` and a comment, and has a comment every 15 seconds.',
      'A group that gets many reports is told of at most four times a second, usage at most once. A reader that is more than 256 KiB behind is closed.',
      'Whoever comes back with the id of the last event, in the header `Last-Event-ID` or in the query, misses nothing: what has happened meanwhile is told, perhaps twice, or `reset` says that it is too much or too long ago, and that lists had better be read again. With `"reason": "signed_out"` it says that the session or the token has ended, and the stream with it.',
      'There may be 20 streams of a session or token and 1,000 of the server. HTTP/1.0 can not carry them.',
    ].join('\n\n'),
    auth: 'bearer',
    query: StreamQuery,
    answers: {
      200: {
        description: 'The stream, which goes on until somebody ends it. The schema is that of the data of an event.',
        body: { schema: StreamEvent, example: eventExample, type: 'text/event-stream' },
      },
    },
    problems: ['project_not_found', 'too_many_requests', 'http_version_not_supported'],
  },
];
