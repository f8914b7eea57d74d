import { validationFailed } from '../../validation/validation.ts';
import { errorCode } from './error-code.ts';
import type { Destination, NotificationChannel } from './notification-channel.ts';
import { formatMail } from './format-mail.ts';

export const noMailServer = 'No mail server is configured: SERVICE_SMTP_URL';

/** All mail goes to the one server that the operator has configured. */
const mailServer: Destination = { key: 'email', isTrusted: true };

export const emailChannel: NotificationChannel<'email'> = {
  name: 'email',
  defaults: { enabled: false, to: [] },
  undisclosedReason: 'mail_failed',
  isEnabled: ({ enabled, to }) => enabled && to.length > 0,
  mask: (settings) => settings,
  destinationOf: () => mailServer,
  async assertDeliverable({ mailer }) {
    if (mailer) return;
    throw validationFailed([
      { path: 'email.enabled', detail: 'This server has no mail server: its operator has to set SERVICE_SMTP_URL.' },
    ]);
  },
  async send({ mailer }, settings, { message, content }) {
    const to = settings.to.filter((address) => message.to?.includes(address) ?? true);
    if (to.length === 0) return null;
    // Fails like any other attempt, so the message is retried: the operator may configure one later.
    if (!mailer) throw new Error(`${noMailServer}.`);
    return mailer.send(to, formatMail(content));
  },
  failureReason(error) {
    // The codes are those of nodemailer.
    const code = errorCode(error);
    if (code === 'EAUTH') return 'mail_server_sign_in';
    if (code === 'EENVELOPE') return 'recipients_refused';
    return /^E(CONN\w*|TIMEDOUT|SOCKET|DNS|NOTFOUND|TLS|REQUIRETLS)$/.test(code)
      ? 'mail_server_unreachable'
      : 'mail_failed';
  },
};
