/** Who is told of new and returning errors. */
export const notificationRequirements = {
  'notify.new': 'the first report of a group sends one message by each way that is enabled',
  'notify.reopened': 'so does a report that reopens a group, and no other report',
  'notify.repeat': 'a repeat of an event_id notifies nobody',
  'notify.settings':
    'GET and PUT /projects/{id}/notifications are { email: { enabled, to }, webhook: { enabled, url, format } }',
  'notify.settings.wrong': 'wrong addresses, URLs and formats are 422',
  'notify.masked': 'the URL of the webhook is masked for viewers',
  'notify.durable': 'a message that could not be delivered before a restart is delivered after it',
  'notify.retry': 'what fails is tried again',
  'notify.cap': 'at most 60 messages an hour and project; the next one says how many were left out',
  'notify.dead': 'a dead channel does not delay reports',
  'notify.redirect': 'a redirect of a webhook is not followed',
  'notify.private': 'targets in private networks are refused, unless the operator allows them',
  'notify.rebinding': 'the address that was checked is the one that is connected to, whatever the name says next',
  'notify.test': 'POST …/test is 202 { sent }, by every way that is enabled',
  'notify.test.failed': 'a channel that did not take the message is in failed, with a reason and a sentence',
  'notify.test.refused': 'a target that is refused is 422',
  'notify.test.cap': 'test messages count among the 60 of an hour; past them it is 429 with Retry-After',
  'notify.escaped': 'what strangers wrote stands in messages as text',
  'notify.link': 'a message links to the group',
} as const;
