import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  /** Host and port, in the format of `setServers`. */
  address: string;
  /** The requested names. Each is requested once per address family. */
  asked: string[];
  close(): void;
}

/**
 * Starts a local name server. `answers` has the IPv4 address of each name. It does not respond to names whose value is
 * null, and responds to names without an entry that they do not exist.
 */
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
    // 0x8180 is a response with recursion. The code 3 means that the name does not exist.
    header.writeUInt16BE(answer === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...found]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() };
}

/** Returns the requested name and the offset of its end. */
function readName(query: Buffer): [name: string, end: number] {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += length + 1;
  }
  return [labels.join('.').toLowerCase(), offset + 1];
}

/** Returns the address record of the requested name. */
function addressRecord(address: string): Buffer {
  return Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
}
