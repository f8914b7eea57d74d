import type { ErrorGroup, WebhookFormat } from '@service/protocol';
import { truncate } from '../../text/truncate.ts';
import type { MessageRecord } from '../../store/records/records.ts';
import type { Mail } from '../../outgoing/mailer.ts';

const subjectChars = 150;
const messageChars = 500;

/** What a message tells. `group` is null for a test. */
export interface NotificationContent {
  message: Pick<MessageRecord, 'kind' | 'left_out'>;
  project: string;
  group: ErrorGroup | null;
  /** Where it is shown. */
  link: string;
}

export function formatMail(told: NotificationContent): Mail {
  const { group, link, project } = told;
  const lines = linesOf(told);
  return {
    subject: cut(`[${oneLine(project)}] ${headline(told)}`, subjectChars),
    text: [headline(told), '', ...lines.map(({ name, value }) => `${name}: ${value}`), '', link, ...leftOut(told)].join(
      '\n',
    ),
    html: [
      '<!doctype html><html><body style="font-family: system-ui, sans-serif; line-height: 1.5">',
      `<p><strong>${html(headline(told))}</strong></p>`,
      lines.length > 0
        ? `<table>${lines.map(({ name, value }) => `<tr><td style="padding-right: 1em; color: #666">${html(name)}</td><td>${html(value)}</td></tr>`).join('')}</table>`
        : '',
      `<p><a href="${html(link)}">${group ? 'Open the error' : 'Open the dashboard'}</a></p>`,
      ...leftOut(told).map((line) => `<p>${html(line)}</p>`),
      '</body></html>',
    ].join('\n'),
  };
}

/** What a chat is posted. */
export interface ChatMessage {
  text: string;
  /** Nobody opens the links of strangers to show what is behind them. */
  unfurl_links?: false;
  unfurl_media?: false;
}

/** Slack and Mattermost both take `text`; what strangers wrote stands there as text. */
export function formatChatMessage(told: NotificationContent, format: WebhookFormat): ChatMessage {
  const escape = format === 'slack' ? slack : mattermost;
  const { link } = told;
  const title = escape(headline(told));
  return {
    text: [
      format === 'slack' ? `*<${link}|${title}>*` : `**[${title}](${link})**`,
      escape(`Project: ${oneLine(told.project)}`),
      ...linesOf(told).map(({ name, value }) => escape(`${name}: ${value}`)),
      ...leftOut(told).map(escape),
    ].join('\n'),
    ...(format === 'slack' && { unfurl_links: false, unfurl_media: false }),
  };
}

function headline({ message: { kind }, group }: NotificationContent): string {
  if (!group) return 'This is a test: notifications arrive here.';
  const what = `${group.type === null ? '' : `${oneLine(group.type)}: `}${oneLine(group.message)}`;
  return cut(`${kind === 'new' ? 'New error' : 'It is back'}: ${what}`, messageChars);
}

function linesOf({ group }: NotificationContent): { name: string; value: string }[] {
  if (!group) return [];
  const { culprit, environments, last_release, count, first_seen } = group;
  return [
    { name: 'Where', value: oneLine(culprit ?? '') },
    { name: 'Environments', value: cut(environments.map(oneLine).join(', '), messageChars) },
    { name: 'Release', value: oneLine(last_release ?? '') },
    { name: 'Reports', value: `${count}, the first ${first_seen}` },
  ].filter(({ value }) => value !== '');
}

function leftOut({ message: { left_out } }: NotificationContent): string[] {
  if (left_out === 0) return [];
  return [
    '',
    `${left_out} more ${left_out === 1 ? 'message was' : 'messages were'} left out: there were too many in an hour.`,
  ];
}

/** Also without what turns the direction of writing: that would make a text of strangers look like another one. */
function oneLine(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim();
}

function cut(text: string, chars: number): string {
  return text.length > chars ? `${truncate(text, chars)}…` : text;
}

function html(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** What nobody sees, and what comes after it is no command. */
const breakUp = '\u200b';

function slack(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`|]/g, `${breakUp}$&`)
    .replaceAll('@', `@${breakUp}`);
}

/** A backslash takes the meaning from every sign but `@`: `\@all` would call all. */
function mattermost(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&').replaceAll('@', `@${breakUp}`);
}
