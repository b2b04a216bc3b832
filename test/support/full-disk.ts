/**
 * Parses the client's messages to PostgreSQL: while the disk is full, each write is replaced by a statement that makes the server raise the
 * error. The server itself answers, so that its transaction is in the state that it reports.
 */
export function failWritesWhenFull(isFull: () => boolean): (piece: Buffer) => Buffer {
  /** The first message of a connection has no type. */
  let hasStarted = false;
  let rest = Buffer.alloc(0);
  /** The messages of one response: everything up to a Sync, or one simple query. */
  let together: Buffer[] = [];
  let writes = false;
  /** Statements that were prepared once and are only executed afterwards. */
  const writing = new Map<string, boolean>();

  const take = (message: Buffer): Buffer[] => {
    const type = String.fromCharCode(message[0] ?? 0);
    if (!extended.has(type) && type !== 'Q') return [message];
    together.push(message);
    if (type === 'P') {
      const [name = '', text = ''] = textsOf(message);
      writing.set(name, isWriting(text));
    }
    if (type === 'B') writes ||= writing.get(textsOf(message)[1] ?? '') ?? false;
    if (type === 'Q') writes ||= isWriting(textsOf(message)[0] ?? '');
    if (type !== 'S' && type !== 'Q') return [];
    const whole = writes && isFull() ? refused(together, writing) : together;
    together = [];
    writes = false;
    return [...whole];
  };

  return (piece) => {
    rest = Buffer.concat([rest, piece]);
    const out: Buffer[] = [];
    for (;;) {
      const typeBytes = hasStarted ? 1 : 0;
      if (rest.length < typeBytes + lengthBytes) break;
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) break;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      if (hasStarted) out.push(...take(message));
      else out.push(message);
      hasStarted = true;
    }
    return Buffer.concat(out);
  };
}

const lengthBytes = 4;
/** Parse, Bind, Describe, Execute, Close, Flush and Sync. */
const extended: ReadonlySet<string> = new Set(['P', 'B', 'D', 'E', 'C', 'H', 'S']);
const isWriting = (text: string): boolean => /^\s*(insert|update|delete|copy|with[\s\S]*\b(insert|update|delete))\b/i.test(text);

/** The texts in message order: for a Parse its name and statement, for a Bind its portal and the statement's name. */
const textsOf = (message: Buffer): readonly string[] => message.toString('latin1', 1 + lengthBytes).split('\u0000');

const diskFullStatement = `do $$ begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`;

/** A statement whose Parse was dropped was never prepared, and the driver prepares it again after the error. */
function refused(messages: readonly Buffer[], writing: Map<string, boolean>): readonly Buffer[] {
  for (const message of messages) if (message[0] === 'P'.charCodeAt(0)) writing.delete(textsOf(message)[0] ?? '');
  const text = Buffer.from(`${diskFullStatement}\u0000`);
  const query = Buffer.alloc(1 + lengthBytes + text.length);
  query.write('Q');
  query.writeUInt32BE(lengthBytes + text.length, 1);
  text.copy(query, 1 + lengthBytes);
  return [query];
}
