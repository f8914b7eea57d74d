import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  /** As `setServers` takes it. */
  address: string;
  /** Names that were asked for, each once a family. */
  asked: string[];
  close(): void;
}

/** A name server of this machine. `answers`: the IPv4 address of each name; null: it says nothing; absent: there is none. */
export async function startNameServer(answers: Record<string, string | null>): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, { port, address }: RemoteInfo) => {
    const [name, end] = readName(query);
    asked.push(name);
    const answer = answers[name];
    if (answer === null) return;
    const isIpv4 = query.readUInt16BE(end) === 1;
    const found = answer !== undefined && isIpv4 ? [addressRecord(answer)] : [];
    const header = Buffer.from(query.subarray(0, 12));
    // An answer, with recursion; 3: there is no such name.
    header.writeUInt16BE(answer === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...found]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() };
}

/** The name that is asked for, and where it ends. */
function readName(query: Buffer): [name: string, end: number] {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return [labels.join('.').toLowerCase(), at + 1];
}

/** Of the name that was asked for. */
function addressRecord(address: string): Buffer {
  return Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
}
