import { html } from '../../html/html.ts';
import type { Mail } from '../../outgoing/mailer.ts';
import {
  groupFacts,
  headline,
  skippedNote,
  toOneLine,
  truncateLine,
  type NotificationContent,
} from './notification-content.ts';

const maxSubjectChars = 150;

/** Formats a message as a mail with a text and an HTML part. Untrusted text is escaped. */
export function formatNotificationMail(content: NotificationContent): Mail {
  return {
    subject: truncateLine(`[${toOneLine(content.project)}] ${headline(content)}`, maxSubjectChars),
    text: formatText(content),
    html: formatHtml(content),
  };
}

function formatText(content: NotificationContent): string {
  const skipped = skippedNote(content);
  return [
    headline(content),
    '',
    ...groupFacts(content).map(({ name, value }) => `${name}: ${value}`),
    '',
    content.link,
    ...(skipped === null ? [] : ['', skipped]),
  ].join('\n');
}

function formatHtml(content: NotificationContent): string {
  const facts = groupFacts(content);
  const skipped = skippedNote(content);
  return html`<!doctype html>
    <html>
      <body style="font-family: system-ui, sans-serif; line-height: 1.5">
        <p><strong>${headline(content)}</strong></p>
        ${
          facts.length > 0 &&
          html`<table>
            ${facts.map(
              ({ name, value }) =>
                html`<tr>
                  <td style="padding-right: 1em; color: #666">${name}</td>
                  <td>${value}</td>
                </tr>`,
            )}
          </table>`
        }
        <p><a href="${content.link}">${content.group ? 'Open the error' : 'Open the dashboard'}</a></p>
        ${skipped !== null && html`<p>${skipped}</p>`}
      </body>
    </html>`.text;
}
