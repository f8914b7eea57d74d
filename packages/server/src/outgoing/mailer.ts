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

/** Recipients that the mail server has refused, and why. */
export interface RefusedRecipients {
  /** For now: it has asked to be asked again. */
  refusedForNow: string[];
  /** For good. */
  refused: string[];
  reason: Error | null;
}

/** What sends e-mails. */
export interface Mailer {
  /** Resolves if anybody was sent it, or may be later; rejects if nobody was. */
  send(to: readonly string[], mail: Mail): Promise<RefusedRecipients>;
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
      const mail = { from: mailFrom ?? 'service@localhost', to: [...to], subject, text, html, headers };
      try {
        return toSent(((await transport.sendMail(mail)) as Answered).rejectedErrors);
      } catch (error) {
        const sent = toSent((error as Answered).rejectedErrors);
        // Where everybody is refused for good, something is set wrongly: that may be mended.
        if (sent.refusedForNow.length === 0) throw error;
        return sent;
      }
    },
    // Where the URL asks for a pool, connections stay open.
    close: () => transport.close(),
  };
}

/** What nodemailer says of recipients that were refused, whether others were taken or not. */
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
