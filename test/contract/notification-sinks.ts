import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { serveOnLoopback } from '../test-utils/serve-on-loopback.ts';

export interface ChatSink {
  url: string;
  /** The texts of the received messages. */
  readonly texts: string[];
  /** The status of every response; null: never respond. */
  status: number | null;
  /** The Location header of every response. */
  location: string | null;
  /** Closes the connections of all pending requests. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Starts a chat webhook on this machine that records the messages it gets. */
export async function startChatSink(): Promise<ChatSink> {
  const { url, dropConnections, close } = await serveOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      sink.texts.push((JSON.parse(Buffer.concat(chunks).toString() || '{}') as { text: string }).text);
      if (sink.status === null) return;
      response.writeHead(sink.status, sink.location === null ? {} : { location: sink.location });
      response.end('ok');
    });
  });
  const sink: ChatSink = {
    url: `${url}hooks/a-secret-path`,
    texts: [],
    status: 200,
    location: null,
    dropConnections,
    close,
  };
  return sink;
}

export interface MailSink {
  url: string;
  readonly mails: { to: string[]; text: string }[];
  close(): Promise<void>;
}

/** Starts an SMTP server on this machine that records the mails it gets. */
export async function startMailSink(): Promise<MailSink> {
  const mails: MailSink['mails'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
