import { createServer, type AddressInfo, type Socket } from 'node:net';
import { invariant } from '../../src/core/invariant.ts';

export type MailServer = {
  readonly url: string;
  /** The received emails, as they came over the wire. */
  readonly received: readonly string[];
  /** The reply to the next recipients; null: it accepts everything. */
  readonly refuseWith: (answer: string | null) => void;
  readonly close: () => Promise<void>;
};

/** The part of SMTP that an email needs, over a real socket. */
export async function startMailServer(): Promise<MailServer> {
  const received: string[] = [];
  let refusal: string | null = null;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    converse(socket, { refusal: () => refusal, take: (mail) => void received.push(mail) });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  invariant(address !== null && typeof address === 'object', 'the server listens on a port');
  const { port }: AddressInfo = address;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuseWith: (answer) => void (refusal = answer),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

type Conversation = { readonly refusal: () => string | null; readonly take: (mail: string) => void };

function converse(socket: Socket, { refusal, take }: Conversation): void {
  let pending = '';
  let mail: string[] | null = null;
  const reply = (line: string) => void socket.write(`${line}\r\n`);
  const receiveLine = (line: string) => {
    if (mail !== null) {
      if (line !== '.') return void mail.push(line);
      take(mail.join('\r\n'));
      mail = null;
      return reply('250 taken');
    }
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'RCPT') return reply(refusal() ?? '250 well');
    if (verb === 'DATA') {
      mail = [];
      return reply('354 continue');
    }
    if (verb === 'STAR') return reply('454 no TLS here');
    if (verb === 'QUIT') return void socket.end('221 bye\r\n');
    return reply('250 well');
  };
  socket.on('data', (bytes) => {
    const lines = (pending + bytes.toString('utf8')).split('\r\n');
    pending = lines.pop() ?? '';
    for (const line of lines) receiveLine(line);
  });
  reply('220 here');
}
