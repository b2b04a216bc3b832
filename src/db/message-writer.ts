/** What `toDriverQuery` leaves as it is. A Buffer is sent in binary format, all else as text. */
export type Encodable = Buffer | string | number | bigint | boolean | null | undefined;

const chunkBytes = 65_536;
const bytesPerCharacterMax = 3;
/** Strings below this length reserve the most bytes that they could need; longer ones are measured. */
const shortLength = 1_024;

/**
 * Writes messages of PostgreSQL's protocol one after the other into one buffer, so that an exchange is one write to the socket. The
 * driver makes a buffer for each message, which a batch of 30 orders enlarges and copies several times, and writes them as a list.
 */
export class MessageWriter {
  #chunk = Buffer.allocUnsafeSlow(chunkBytes);
  #from = 0;
  #at = 0;

  parse(name: string, text: string): void {
    const start = this.#begin('P');
    this.#cString(name);
    this.#cString(text);
    this.#int16(0);
    this.#end(start);
  }

  bind(name: string, values: readonly Encodable[]): void {
    const start = this.#begin('B');
    this.#cString('');
    this.#cString(name);
    this.#count(values.length);
    for (const value of values) this.#int16(Buffer.isBuffer(value) ? 1 : 0);
    this.#count(values.length);
    for (const value of values) this.#value(value);
    this.#int16(0);
    this.#end(start);
  }

  describePortal(): void {
    const start = this.#begin('D');
    this.#cString('P');
    this.#end(start);
  }

  execute(): void {
    const start = this.#begin('E');
    this.#cString('');
    this.#int32(0);
    this.#end(start);
  }

  sync(): void {
    this.#end(this.#begin('S'));
  }

  /** Returns what was written since the last call. The caller may keep it: the next messages are written behind it. */
  take(): Buffer {
    const messages = this.#chunk.subarray(this.#from, this.#at);
    this.#from = this.#at;
    // A large buffer would be kept until small messages have filled it.
    if (this.#chunk.length > chunkBytes) this.#use(Buffer.allocUnsafeSlow(chunkBytes));
    return messages;
  }

  /** Forgets what was written since the last call of `take`. */
  discard(): void {
    this.#at = this.#from;
  }

  #begin(kind: string): number {
    this.#reserve(5);
    this.#chunk[this.#at] = kind.charCodeAt(0);
    this.#at += 5;
    return this.#at - this.#from;
  }

  /** A message has its length, without its kind, before its content. */
  #end(start: number): void {
    const content = this.#from + start;
    this.#chunk.writeInt32BE(this.#at - content + 4, content - 4);
  }

  #value(value: Encodable): void {
    if (value === null || value === undefined) this.#int32(-1);
    else if (Buffer.isBuffer(value)) this.#bytes(value);
    else this.#text(String(value));
  }

  #bytes(bytes: Buffer): void {
    this.#int32(bytes.length);
    this.#reserve(bytes.length);
    this.#chunk.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #text(text: string): void {
    this.#reserve(4 + mostBytesOf(text));
    const written = this.#chunk.write(text, this.#at + 4);
    this.#chunk.writeInt32BE(written, this.#at);
    this.#at += 4 + written;
  }

  #cString(text: string): void {
    this.#reserve(mostBytesOf(text) + 1);
    this.#at += this.#chunk.write(text, this.#at);
    this.#chunk[this.#at] = 0;
    this.#at += 1;
  }

  #int16(value: number): void {
    this.#reserve(2);
    this.#at = this.#chunk.writeInt16BE(value, this.#at);
  }

  /** Throws above 65,535, which is the protocol's limit. */
  #count(value: number): void {
    this.#reserve(2);
    this.#at = this.#chunk.writeUInt16BE(value, this.#at);
  }

  #int32(value: number): void {
    this.#reserve(4);
    this.#at = this.#chunk.writeInt32BE(value, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#chunk.length) return;
    const written = this.#at - this.#from;
    const next = Buffer.allocUnsafeSlow(Math.max(chunkBytes, 2 * (written + bytes)));
    this.#chunk.copy(next, 0, this.#from, this.#at);
    this.#use(next);
    this.#at = written;
  }

  #use(chunk: Buffer<ArrayBuffer>): void {
    this.#chunk = chunk;
    this.#from = 0;
    this.#at = 0;
  }
}

const mostBytesOf = (text: string): number => (text.length < shortLength ? text.length * bytesPerCharacterMax : Buffer.byteLength(text));
