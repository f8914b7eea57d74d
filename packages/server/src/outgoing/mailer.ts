import type { Transporter } from 'nodemailer';
import { ConfigError, type Config } from '../config.ts';

const smtpTimeoutMs = 20_000;
/** The newest version this was tested with, as in `peerDependencies`. */
const nodemailerVersion = 10;

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** The recipients that the mail server refused. */
export interface RefusedRecipients {
  /** Refused temporarily (a 4xx reply): they can be retried. */
  refusedForNow: string[];
  /** Refused permanently (a 5xx reply). */
  refused: string[];
  reason: Error | null;
}

export interface Mailer {
  /** Resolves if at least one recipient accepted the mail or can be retried. Rejects otherwise. */
  send(to: readonly string[], mail: Mail): Promise<RefusedRecipients>;
  close(): void;
}

/** Returns null if no mail server is configured. Rejects with a ConfigError if nodemailer is not installed. */
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
        return toSent(((await transport.sendMail(mail)) as Answered).rejectedErrors);
      } catch (error) {
        const sent = toSent((error as Answered).rejectedErrors);
        // If all recipients are refused permanently, the configuration is wrong: the error must reach the log.
        if (sent.refusedForNow.length === 0) throw error;
        return sent;
      }
    },
    // If the URL enables pooling, connections stay open.
    close: () => transport.close(),
  };
}

/** Refused recipients, in the result and in the error of nodemailer alike. */
interface Answered {
  rejectedErrors?: Rejected[];
}

interface Rejected extends Error {
  recipient?: string;
  responseCode?: number;
}

function toSent(errors: readonly Rejected[] = []): RefusedRecipients {
  return {
    refusedForNow: errors.filter(isForNow).flatMap(({ recipient }) => recipient ?? []),
    refused: errors.filter((error) => !isForNow(error)).flatMap(({ recipient }) => recipient ?? []),
    reason: errors[0] ?? null,
  };
}

function isForNow({ responseCode = 0 }: Rejected): boolean {
  return responseCode < 500;
}
