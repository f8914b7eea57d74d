import type { Transporter } from 'nodemailer';
import { ConfigError, type Config } from '../config.ts';

const smtpTimeoutMs = 20_000;
/** The newest major version that `peerDependencies` allows. */
const nodemailerVersion = 10;

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** The recipients that the mail server rejected. */
export interface RejectedRecipients {
  /** Rejected with a 4xx reply, or without a reply code: they can be retried. */
  temporary: string[];
  /** Rejected with a 5xx reply. */
  permanent: string[];
  /** The error of the first one. Null if no recipient was rejected. */
  reason: Error | null;
}

export interface Mailer {
  /** Resolves if at least one recipient accepted the mail or can be retried. Rejects otherwise. */
  send(to: readonly string[], mail: Mail): Promise<RejectedRecipients>;
  close(): void;
}

/** Resolves with null if no mail server is configured. Rejects with a ConfigError if nodemailer is not installed. */
export async function openMailer({ smtpUrl, mailFrom }: Config): Promise<Mailer | null> {
  if (smtpUrl === null) return null;
  const { createTransport } = await import('nodemailer').catch((error: unknown) => {
    throw new ConfigError(
      `E-mails need the package nodemailer, which is not installed: npm install nodemailer@${nodemailerVersion}`,
      { cause: error },
    );
  });
  const transport: Transporter = createTransport({
    url: smtpUrl,
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
    dnsTimeout: smtpTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as never);
  return {
    async send(to, { subject, text, html }) {
      // Asks out-of-office responders not to reply.
      const headers = { 'Auto-Submitted': 'auto-generated' };
      const mail = { from: mailFrom ?? 'service@localhost', to: [...to], subject, text, html, headers };
      try {
        return rejectedBy(((await transport.sendMail(mail)) as SendResult).rejectedErrors);
      } catch (error) {
        const rejected = rejectedBy((error as SendResult).rejectedErrors);
        // If all recipients are rejected permanently, the configuration may be wrong: the error must reach the log.
        if (rejected.temporary.length === 0) throw error;
        return rejected;
      }
    },
    // Connections stay open if the URL enables pooling.
    close: () => transport.close(),
  };
}

/** The field that the result and the errors of nodemailer share. */
interface SendResult {
  rejectedErrors?: RecipientError[];
}

interface RecipientError extends Error {
  recipient?: string;
  responseCode?: number;
}

function rejectedBy(errors: readonly RecipientError[] = []): RejectedRecipients {
  return {
    temporary: errors.filter(isTemporary).flatMap(({ recipient }) => recipient ?? []),
    permanent: errors.filter((error) => !isTemporary(error)).flatMap(({ recipient }) => recipient ?? []),
    reason: errors[0] ?? null,
  };
}

function isTemporary({ responseCode = 0 }: RecipientError): boolean {
  return responseCode < 500;
}
