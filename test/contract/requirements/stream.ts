/** The live stream. */
export const streamRequirements = {
  'stream.open': 'GET /stream is text/event-stream, with a Bearer token or the session cookie',
  'stream.headers':
    'a stream has Cache-Control: no-cache, no-transform and X-Accel-Buffering: no, and is never gzipped',
  'stream.begin': 'a stream begins with retry: 1000 and a comment, without delay',
  'stream.comment': 'a stream has a comment every 15 s',
  'stream.event': 'an event has an id and one line of JSON { type, project_id, at, … }, and no event: line',
  'stream.head': 'HEAD has the headers of the stream and no body',
  'stream.query': 'unknown query parameters return 422',

  'stream.group.created': 'a new group publishes group.created with the full list record',
  'stream.group.updated': 'a further report publishes group.updated',
  'stream.group.reopened': 'reopening publishes group.reopened and no group.updated for that report',
  'stream.group.status': 'PATCH publishes group.resolved or group.activated',
  'stream.group.deleted': 'a deleted group publishes group.deleted with error_group_id',
  'stream.group.merged':
    'a merge publishes group.merged with error_group_id and into, an unmerge publishes group.unmerged with the group',
  'stream.group.rate': 'updates of a group are coalesced to at most 4 a second',
  'stream.first': 'the first event after a pause is published without delay',
  'stream.many_groups': 'updates of 1,000 busy groups need at most 20 writes a second, each with several events',
  'stream.summary': 'a requested, ready or failed explanation publishes summary.updated with its status',
  'stream.usage': 'usage.updated has usage and project_id: null, and goes to every stream of the team',
  'stream.usage.rate': 'usage.updated is published at most once a second',
  'stream.project': 'project.created, project.updated and project.deleted have the project without its key',
  'stream.project.deleted': 'a stream of a deleted project gets project.deleted',

  'stream.team': 'a stream without project_id covers the whole team',
  'stream.one_project': 'a stream with project_id covers that project',
  'stream.foreign_project': "an unknown or another team's project_id returns 404",
  'stream.apart': 'a stream never carries an event of another team',

  'stream.resume.header': 'Last-Event-ID resumes a stream without a gap',
  'stream.resume.query': 'last_event_id resumes a stream without a gap',
  'stream.resume.restart': 'a stream resumes without a gap after a restart or a kill',
  'stream.reset': 'a position that is too old or unknown gets reset',

  'stream.end.sign_out': 'signing out ends the stream after reset with reason signed_out',
  'stream.end.expiry': 'the expiry of the access token or session ends the stream in the same way',
  'stream.end.member': 'deleting the member ends the stream in the same way',
  'stream.end.token': 'revoking the personal access token ends the stream in the same way',
  'stream.end.role': 'a changed role does not end the stream',
  'stream.end.stop': 'a stopping server closes streams without an error response',

  'stream.http10': 'a stream over HTTP/1.0 returns 505 with the reason',
  'stream.via': 'a stream with Via: 1.0 returns 505 with the reason',
  'stream.max': 'a user can open 1,000 streams, then gets 429 with Retry-After',
  'stream.max_per_session': 'a session or token allows 20 streams, then returns 429 with Retry-After',
  'stream.behind': 'a subscriber over 256 KiB behind is disconnected and can resume',
  'problem.http_version_not_supported': '505 http_version_not_supported',
} as const;
