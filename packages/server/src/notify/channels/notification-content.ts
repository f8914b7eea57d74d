import type { ErrorGroup, WebhookFormat } from '@service/protocol';
import { truncate } from '../../text/truncate.ts';
import type { MessageRecord } from '../../store/records/records.ts';
import type { Mail } from '../../outgoing/mailer.ts';

const maxSubjectChars = 150;
const maxMessageChars = 500;

/** The data of a message. `group` is null for a test. */
export interface NotificationContent {
  message: Pick<MessageRecord, 'kind' | 'left_out'>;
  project: string;
  group: ErrorGroup | null;
  /** The URL of the group in the dashboard. */
  link: string;
}

export function formatMail(content: NotificationContent): Mail {
  const { group, link, project } = content;
  const lines = detailsOf(content);
  return {
    subject: truncateText(`[${toOneLine(project)}] ${headline(content)}`, maxSubjectChars),
    text: [
      headline(content),
      '',
      ...lines.map(({ name, value }) => `${name}: ${value}`),
      '',
      link,
      ...leftOutLines(content),
    ].join('\n'),
    html: [
      '<!doctype html><html><body style="font-family: system-ui, sans-serif; line-height: 1.5">',
      `<p><strong>${escapeHtml(headline(content))}</strong></p>`,
      lines.length > 0
        ? `<table>${lines.map(({ name, value }) => `<tr><td style="padding-right: 1em; color: #666">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`).join('')}</table>`
        : '',
      `<p><a href="${escapeHtml(link)}">${group ? 'Open the error' : 'Open the dashboard'}</a></p>`,
      ...leftOutLines(content).map((line) => `<p>${escapeHtml(line)}</p>`),
      '</body></html>',
    ].join('\n'),
  };
}

/** The body of a request to a chat webhook. */
export interface ChatMessage {
  text: string;
  /** False: Slack must not fetch links in untrusted text for a preview. */
  unfurl_links?: false;
  unfurl_media?: false;
}

/** Formats a message for Slack or Mattermost, which both accept `text`. Untrusted text is escaped. */
export function formatChatMessage(content: NotificationContent, format: WebhookFormat): ChatMessage {
  const escape = format === 'slack' ? escapeSlack : escapeMattermost;
  const { link } = content;
  const title = escape(headline(content));
  return {
    text: [
      format === 'slack' ? `*<${link}|${title}>*` : `**[${title}](${link})**`,
      escape(`Project: ${toOneLine(content.project)}`),
      ...detailsOf(content).map(({ name, value }) => escape(`${name}: ${value}`)),
      ...leftOutLines(content).map(escape),
    ].join('\n'),
    ...(format === 'slack' && { unfurl_links: false, unfurl_media: false }),
  };
}

function headline({ message: { kind }, group }: NotificationContent): string {
  if (!group) return 'This is a test: notifications arrive here.';
  const error = `${group.type === null ? '' : `${toOneLine(group.type)}: `}${toOneLine(group.message)}`;
  return truncateText(`${kind === 'new' ? 'New error' : 'It is back'}: ${error}`, maxMessageChars);
}

function detailsOf({ group }: NotificationContent): { name: string; value: string }[] {
  if (!group) return [];
  const { culprit, environments, last_release, count, first_seen } = group;
  return [
    { name: 'Where', value: toOneLine(culprit ?? '') },
    { name: 'Environments', value: truncateText(environments.map(toOneLine).join(', '), maxMessageChars) },
    { name: 'Release', value: toOneLine(last_release ?? '') },
    { name: 'Reports', value: `${count}, first at ${first_seen}` },
  ].filter(({ value }) => value !== '');
}

function leftOutLines({ message: { left_out } }: NotificationContent): string[] {
  if (left_out === 0) return [];
  return [
    '',
    `${left_out} more ${left_out === 1 ? 'message was' : 'messages were'} left out: the hourly limit was reached.`,
  ];
}

/** Returns the text on one line, without characters that change its direction and so disguise untrusted text. */
function toOneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();
}

function truncateText(text: string, chars: number): string {
  return text.length > chars ? `${truncate(text, chars)}…` : text;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** An invisible character. A chat does not interpret the character after it as markup or a mention. */
const zeroWidthSpace = '\u200b';

function escapeSlack(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`|]/g, `${zeroWidthSpace}$&`)
    .replaceAll('@', `@${zeroWidthSpace}`);
}

/** Escapes markup with backslashes. They do not work for `@`: `\@all` would still notify all. */
function escapeMattermost(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&').replaceAll('@', `@${zeroWidthSpace}`);
}
