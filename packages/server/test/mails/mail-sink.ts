import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  to: string[];
  text: string;
}

/** A mail server on this machine that records the mails it gets. */
export interface MailSink {
  url: string;
  readonly mails: readonly ReceivedMail[];
  /** Returns the mails to an address. */
  to(address: string): ReceivedMail[];
  /** Returns the token of the link in the newest mail to an address, or an empty text. */
  tokenTo(address: string): string;
  close(): Promise<void>;
}

export async function startMailSink(): Promise<MailSink> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        const decoded = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text: decoded });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const to = (address: string): ReceivedMail[] => mails.filter((mail) => mail.to.includes(address));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    to,
    tokenTo: (address) => /\/confirm\/([\w.-]+)/.exec(to(address).at(-1)?.text ?? '')?.[1] ?? '',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
