/** Messages about new and reopened groups. */
export const notificationRequirements = {
  'notify.new': 'the first report of a group sends one message through each enabled channel',
  'notify.reopened': 'a report that reopens a group sends a message; no other report does',
  'notify.repeat': 'a repeat of an event_id sends no message',
  'notify.settings':
    'GET and PUT /projects/{id}/notifications are { email: { enabled, to }, webhook: { enabled, url, format } }',
  'notify.settings.wrong': 'invalid addresses, URLs and formats return 422',
  'notify.masked': 'the webhook URL is masked for viewers',
  'notify.durable': 'a message that was not delivered before a restart is delivered after it',
  'notify.retry': 'a failed delivery is retried',
  'notify.cap': 'at most 60 messages an hour per project; the next one says how many were skipped',
  'notify.dead': 'a dead channel never delays ingest',
  'notify.redirect': 'a redirect from a webhook is not followed',
  'notify.private': 'targets in private networks are rejected, unless the operator allows them',
  'notify.rebinding': 'the checked address is the one connected to',
  'notify.test': 'POST …/test returns 202 { sent } with every enabled channel',
  'notify.test.failed': 'a channel that did not accept the test message is in failed, with a reason and a sentence',
  'notify.test.rejected': 'a test message to a rejected target returns 422',
  'notify.test.partly': 'a missing mail server is in failed, and the other channels are tried',
  'notify.test.cap': 'test messages count toward the 60 an hour; over the limit they return 429 with Retry-After',
  'notify.escaped': 'report text in messages is escaped',
  'notify.link': 'a message links to the group',
} as const;
