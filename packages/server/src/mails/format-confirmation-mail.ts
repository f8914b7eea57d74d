import type { Confirmation } from '@service/protocol';
import { html } from '../html/html.ts';
import type { Mail } from '../outgoing/mailer.ts';
import { truncate } from '../text/truncate.ts';

interface ConfirmationMail {
  kind: Confirmation['kind'];
  teamName: string;
  baseUrl: string;
  token: string;
}

/** Formats a mail that asks for a confirmation. */
export function formatConfirmationMail({ kind, teamName, baseUrl, token }: ConfirmationMail): Mail {
  const { host } = new URL(baseUrl);
  const link = `${baseUrl}/confirm/${token}`;
  const { subject, reason, action } =
    kind === 'account'
      ? {
          subject: `Confirm your e-mail address for ${host}`,
          reason: `Someone has registered an account on ${host} with this address.`,
          action: 'Confirm the address',
        }
      : {
          subject: `Confirm that you want error notifications from ${host}`,
          reason: `The team "${withoutLinks(teamName)}" on ${host} wants to send notifications about errors to this address.`,
          action: 'Confirm or decline',
        };
  const ending = 'The link works for 7 days. If you did not expect this, do nothing, or decline on the same page.';
  return {
    subject,
    text: [reason, '', `${action}: ${link}`, '', ending].join('\n'),
    html: html`<!doctype html>
      <html>
        <body style="font-family: system-ui, sans-serif; line-height: 1.5">
          <p>${reason}</p>
          <p><a href="${link}">${action}</a></p>
          <p>${ending}</p>
        </body>
      </html>`.text,
  };
}

const maxTeamNameChars = 40;

/**
 * Returns a name for a mail to a stranger. Anyone can choose the name of a team, so nothing is left of it that a mail
 * program would turn into a link.
 */
function withoutLinks(name: string): string {
  return truncate(name.replace(/[^\p{L}\p{N} '&-]+/gu, ' ').trim(), maxTeamNameChars);
}
