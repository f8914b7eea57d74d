import type { ErrorGroup } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import {
  formatChatMessage,
  formatMail,
  type NotificationContent,
} from '../../../src/notify/channels/notification-content.ts';

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

function told(fields: Partial<ErrorGroup> = {}, left_out = 0, project = 'Shop'): NotificationContent {
  return {
    message: { kind: 'new', left_out },
    project,
    group: { ...group, ...fields },
    link: 'https://errors.example/groups/7',
  };
}

test('a subject and a chat message never end inside a surrogate pair', () => {
  for (const first of ['', 'x']) {
    const long = told({ message: first + '😀'.repeat(600), environments: [first + '😀'.repeat(600)] });
    const { subject, text, html } = formatMail(long);
    for (const part of [subject, text, html, formatChatMessage(long, 'slack').text])
      expect(part.isWellFormed()).toBe(true);
    expect(subject).toMatch(/😀…$/u);
  }
});

test('a mail says what, where and how often, and leads to the group', () => {
  expect(formatMail(told())).toMatchInlineSnapshot(`
    {
      "html": "<!doctype html><html><body style="font-family: system-ui, sans-serif; line-height: 1.5">
    <p><strong>New error: TypeError: It broke</strong></p>
    <table><tr><td style="padding-right: 1em; color: #666">Where</td><td>checkout (src/cart.ts)</td></tr><tr><td style="padding-right: 1em; color: #666">Environments</td><td>production</td></tr><tr><td style="padding-right: 1em; color: #666">Release</td><td>1.2.3</td></tr><tr><td style="padding-right: 1em; color: #666">Reports</td><td>1, the first 2026-11-20T09:00:00.000Z</td></tr></table>
    <p><a href="https://errors.example/groups/7">Open the error</a></p>
    </body></html>",
      "subject": "[Shop] New error: TypeError: It broke",
      "text": "New error: TypeError: It broke

    Where: checkout (src/cart.ts)
    Environments: production
    Release: 1.2.3
    Reports: 1, the first 2026-11-20T09:00:00.000Z

    https://errors.example/groups/7",
    }
  `);
});

test('what is left out is told with the next one', () => {
  for (const text of [
    formatMail(told({}, 3)).text,
    formatMail(told({}, 3)).html,
    formatChatMessage(told({}, 3), 'slack').text,
  ])
    expect(text).toContain('3 more messages were left out');
  expect(formatMail(told({}, 1)).text).toContain('1 more message was left out');
});

describe('what strangers wrote', () => {
  const tags = '<img src=x onerror=alert(1)> "quoted" & \'so\'';

  test('is text in a mail, whichever field it came in', () => {
    const fields = { type: tags, message: tags, culprit: tags, environments: [tags], last_release: tags };
    const { html } = formatMail(told(fields, 0, tags));
    expect(html).not.toContain('<img');
    expect(html.match(/&#60;img src=x onerror=alert\(1\)&#62; &#34;quoted&#34; &#38; &#39;so&#39;/g)).toHaveLength(5);
  });

  test('is one line, so that it begins no header and no line that looks like ours', () => {
    const lines = 'a\r\nBcc: spy@example.com\u2028b\u0085c';
    const { subject, text } = formatMail(told({ message: lines, culprit: lines }, 0, lines));
    expect(subject).not.toMatch(/[\r\n\u2028\u0085]/);
    expect(text.split(/[\r\n\u2028\u0085]/).some((line) => line.startsWith('Bcc'))).toBe(false);
  });

  test('does not turn the direction of what stands around it', () => {
    const { subject, text } = formatMail(told({ message: 'gpj.\u202eexe\u2066' }));
    expect(subject + text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  test('is cut, and never in the middle of a character', () => {
    const { subject, text } = formatMail(told({ message: '💥'.repeat(150), type: null }));
    expect(subject.length).toBeLessThanOrEqual(151);
    expect(subject.isWellFormed() && text.isWellFormed()).toBe(true);
  });

  test('calls nobody and formats nothing in Slack, and nobody fetches its links', () => {
    const sent = formatChatMessage(
      told({ message: '<!channel> @here *bold* <https://evil.example|click> `code`' }),
      'slack',
    );
    expect(sent).toMatchObject({ unfurl_links: false, unfurl_media: false });
    const [title = ''] = sent.text.split('\n');
    expect(title.startsWith('*<https://errors.example/groups/7|New error: TypeError: ')).toBe(true);
    const inside = title.slice(title.indexOf('|') + 1, -2);
    expect(inside).not.toMatch(/[<>]|@here|(?<!\u200b)[*`|_~]/);
  });

  test('calls nobody and formats nothing in Mattermost', () => {
    const { text } = formatChatMessage(
      told({ message: '@all @channel [click](https://evil.example) **bold** ~town #tag' }),
      'mattermost',
    );
    const [title = ''] = text.split('\n');
    expect(title).not.toMatch(/@(?!\u200b)/);
    const inside = title.slice('**['.length, title.lastIndexOf(']('));
    expect(inside).not.toMatch(/(?<!\\)[[\]()*#~]/);
  });
});
