import type { Transporter } from 'nodemailer';
import type { Config } from '../config.ts';
import type { MailText } from './message.ts';

const timeoutMs = 20_000;

/** What sends e-mails. */
export interface Mailer {
  send(to: readonly string[], mail: MailText): Promise<void>;
  close(): void;
}

/** Null where no mail server is set. Rejects if the package that speaks to one is not installed. */
export async function openMailer({ smtpUrl, mailFrom }: Config): Promise<Mailer | null> {
  if (smtpUrl === null) return null;
  const { createTransport } = await import('nodemailer');
  const transport: Transporter = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as never);
  return {
    async send(to, { subject, text, html }) {
      await transport.sendMail({ from: mailFrom ?? 'service@localhost', to: [...to], subject, text, html });
    },
    close: () => transport.close(),
  };
}
