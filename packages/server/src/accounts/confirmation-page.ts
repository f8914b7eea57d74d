import { html, type Html } from '../html/html.ts';
import { htmlDocument } from '../html/html-document.ts';
import type { PendingConfirmation } from './read-confirmation.ts';

/** Renders the page of a mailed link. It has no script: its buttons submit forms to `path`. */
export function confirmationPage(confirmation: PendingConfirmation, path: string): string {
  const { email, status } = confirmation;
  return htmlDocument(
    'E-mail address',
    '/checkout.css',
    html`<main>
      <h1>${titles[status]}</h1>
      <p>${email}</p>
      <p role="status">${confirmationText(confirmation)}</p>
      ${buttonsOf(confirmation, path)}
      <p><a href="/">Open the dashboard</a></p>
    </main>`,
  );
}

const titles: Record<PendingConfirmation['status'], string> = {
  pending: 'Confirm your e-mail address',
  confirmed: 'Address confirmed',
  declined: 'Address declined',
};

function confirmationText({ kind, team, status }: PendingConfirmation): string {
  if (kind === 'account')
    return {
      pending: 'An account was registered with this address. Was it you?',
      confirmed: 'The address of your account is confirmed.',
      declined: 'The account was removed.',
    }[status];
  return {
    pending: `The team ${team} wants to send notifications about errors to this address.`,
    confirmed: `The team ${team} sends notifications about errors to this address.`,
    declined: `The team ${team} sends no notifications to this address and can’t ask again.`,
  }[status];
}

function buttonsOf({ kind, status }: PendingConfirmation, path: string): Html | false {
  if (status === 'declined' || (status === 'confirmed' && kind === 'account')) return false;
  const decline = kind === 'account' ? 'It was not me' : status === 'confirmed' ? 'Stop notifications' : 'Decline';
  return html`<div class="buttons">
    ${status === 'pending' && html`<form method="post" action="${path}"><button class="primary">Confirm</button></form>`}
    <form method="post" action="${path}/decline"><button>${decline}</button></form>
  </div>`;
}
