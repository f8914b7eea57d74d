import type { Transporter } from 'nodemailer';
import { ConfigError, type Config } from '../config.ts';

const timeoutMs = 20_000;
/** The newest that it was tried with, as in `peerDependencies`. */
const wantedVersion = 10;

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** What sends e-mails. */
export interface Mailer {
  send(to: readonly string[], mail: Mail): Promise<void>;
  close(): void;
}

/** Null where no mail server is set. Rejects with a ConfigError if the package that speaks to one is not installed. */
export async function openMailer({ smtpUrl, mailFrom }: Config): Promise<Mailer | null> {
  if (smtpUrl === null) return null;
  const { createTransport } = await import('nodemailer').catch((error: unknown) => {
    throw new ConfigError(
      `E-mails need the package nodemailer, which is not installed: npm install nodemailer@${wantedVersion}`,
      { cause: error },
    );
  });
  const transport: Transporter = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as never);
  return {
    async send(to, { subject, text, html }) {
      // Whoever is away and has that answered by a machine has nothing to tell us.
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await transport.sendMail({ from: mailFrom ?? 'service@localhost', to: [...to], subject, text, html, headers });
    },
    // Where the URL asks for a pool, connections stay open.
    close: () => transport.close(),
  };
}
