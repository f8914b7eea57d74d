import type { WebhookFormat } from '@service/protocol';
import { escapeMarkdown, zeroWidthSpace } from './escape-markdown.ts';
import { groupFacts, headline, skippedNote, toOneLine, type NotificationContent } from './notification-content.ts';

/** The body of a request to a chat webhook. */
export interface ChatMessage {
  text: string;
  /** False: Slack must not fetch links in untrusted text for a preview. */
  unfurl_links?: false;
  unfurl_media?: false;
}

/** Formats a message for Slack or Mattermost, which both accept `text`. Untrusted text is escaped. */
export function formatChatMessage(content: NotificationContent, format: WebhookFormat): ChatMessage {
  const escape = format === 'slack' ? escapeSlack : escapeMarkdown;
  const { link } = content;
  const title = escape(headline(content));
  const skipped = skippedNote(content);
  return {
    text: [
      format === 'slack' ? `*<${link}|${title}>*` : `**[${title}](${link})**`,
      escape(`Project: ${toOneLine(content.project)}`),
      ...groupFacts(content).map(({ name, value }) => escape(`${name}: ${value}`)),
      ...(skipped === null ? [] : ['', escape(skipped)]),
    ].join('\n'),
    ...(format === 'slack' && { unfurl_links: false, unfurl_media: false }),
  };
}

function escapeSlack(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[*_~`|]/g, `${zeroWidthSpace}$&`)
    .replaceAll('@', `@${zeroWidthSpace}`);
}
