import type { ErrorGroup } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import { formatChatMessage } from '../../../src/notify/channels/format-chat-message.ts';
import { formatNotificationMail } from '../../../src/notify/channels/format-notification-mail.ts';
import type { NotificationContent } from '../../../src/notify/channels/notification-content.ts';

const group: ErrorGroup = {
  error_group_id: 7,
  project_id: 1,
  fingerprint: 'f'.repeat(32),
  status: 'active',
  type: 'TypeError',
  message: 'It broke',
  culprit: 'checkout (src/cart.ts)',
  level: 'error',
  count: 1,
  users: 0,
  first_seen: '2026-11-20T09:00:00.000Z',
  last_seen: '2026-11-20T09:00:00.000Z',
  resolved_at: null,
  reopened_at: null,
  reopen_count: 0,
  environments: ['production'],
  first_release: '1.2.0',
  last_release: '1.2.3',
  trend: [],
};

function contentOf(fields: Partial<ErrorGroup> = {}, left_out = 0, project = 'Shop'): NotificationContent {
  return {
    message: { kind: 'new', left_out },
    project,
    group: { ...group, ...fields },
    link: 'https://errors.example/groups/7',
  };
}

test('a subject and a chat message never end inside a surrogate pair', () => {
  for (const first of ['', 'x']) {
    const long = contentOf({ message: first + '😀'.repeat(600), environments: [first + '😀'.repeat(600)] });
    const { subject, text, html } = formatNotificationMail(long);
    for (const part of [subject, text, html, formatChatMessage(long, 'slack').text])
      expect(part.isWellFormed()).toBe(true);
    expect(subject).toMatch(/😀…$/u);
  }
});

test('a mail has the error, its location and count, and a link to the group', () => {
  expect(formatNotificationMail(contentOf())).toMatchInlineSnapshot(`
    {
      "html": "<!doctype html>
        <html>
          <body style="font-family: system-ui, sans-serif; line-height: 1.5">
            <p><strong>New error: TypeError: It broke</strong></p>
            <table>
                <tr>
                      <td style="padding-right: 1em; color: #666">Where</td>
                      <td>checkout (src/cart.ts)</td>
                    </tr><tr>
                      <td style="padding-right: 1em; color: #666">Environments</td>
                      <td>production</td>
                    </tr><tr>
                      <td style="padding-right: 1em; color: #666">Release</td>
                      <td>1.2.3</td>
                    </tr><tr>
                      <td style="padding-right: 1em; color: #666">Reports</td>
                      <td>1, first at 2026-11-20T09:00:00.000Z</td>
                    </tr>
              </table>
            <p><a href="https://errors.example/groups/7">Open the error</a></p>
            
          </body>
        </html>",
      "subject": "[Shop] New error: TypeError: It broke",
      "text": "New error: TypeError: It broke

    Where: checkout (src/cart.ts)
    Environments: production
    Release: 1.2.3
    Reports: 1, first at 2026-11-20T09:00:00.000Z

    https://errors.example/groups/7",
    }
  `);
});

test('the next message states the number of skipped messages', () => {
  for (const text of [
    formatNotificationMail(contentOf({}, 3)).text,
    formatNotificationMail(contentOf({}, 3)).html,
    formatChatMessage(contentOf({}, 3), 'slack').text,
  ])
    expect(text).toContain('3 more messages were skipped');
  expect(formatNotificationMail(contentOf({}, 1)).text).toContain('1 more message was skipped');
});

describe('untrusted text in a notification', () => {
  const tags = '<img src=x onerror=alert(1)> "quoted" & \'so\'';

  test('HTML in any field of a report is escaped in a mail', () => {
    const fields = { type: tags, message: tags, culprit: tags, environments: [tags], last_release: tags };
    const { html } = formatNotificationMail(contentOf(fields, 0, tags));
    expect(html).not.toContain('<img');
    expect(html.match(/&lt;img src=x onerror=alert\(1\)&gt; &quot;quoted&quot; &amp; &#39;so&#39;/g)).toHaveLength(5);
  });

  test('line breaks in a report are removed, so they cannot add a mail header or line', () => {
    const lines = 'a\r\nBcc: spy@example.com\u2028b\u0085c';
    const { subject, text } = formatNotificationMail(contentOf({ message: lines, culprit: lines }, 0, lines));
    expect(subject).not.toMatch(/[\r\n\u2028\u0085]/);
    expect(text.split(/[\r\n\u2028\u0085]/).some((line) => line.startsWith('Bcc'))).toBe(false);
  });

  test('characters that change the text direction are removed from a mail', () => {
    const { subject, text } = formatNotificationMail(contentOf({ message: 'gpj.\u202eexe\u2066' }));
    expect(subject + text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  test('a long message is truncated between characters in a mail', () => {
    const { subject, text } = formatNotificationMail(contentOf({ message: '💥'.repeat(150), type: null }));
    expect(subject.length).toBeLessThanOrEqual(151);
    expect(subject.isWellFormed() && text.isWellFormed()).toBe(true);
  });

  test('text of a report cannot mention, format or unfurl in Slack', () => {
    const sent = formatChatMessage(
      contentOf({ message: '<!channel> @here *bold* <https://evil.example|click> `code`' }),
      'slack',
    );
    expect(sent).toMatchObject({ unfurl_links: false, unfurl_media: false });
    const [title = ''] = sent.text.split('\n');
    expect(title.startsWith('*<https://errors.example/groups/7|New error: TypeError: ')).toBe(true);
    const inside = title.slice(title.indexOf('|') + 1, -2);
    expect(inside).not.toMatch(/[<>]|@here|(?<!\u200b)[*`|_~]/);
  });

  test('text of a report cannot mention or format in Mattermost', () => {
    const { text } = formatChatMessage(
      contentOf({ message: '@all @channel [click](https://evil.example) **bold** ~town #tag' }),
      'mattermost',
    );
    const [title = ''] = text.split('\n');
    expect(title).not.toMatch(/@(?!\u200b)/);
    const inside = title.slice('**['.length, title.lastIndexOf(']('));
    expect(inside).not.toMatch(/(?<!\\)[[\]()*#~]/);
  });
});
