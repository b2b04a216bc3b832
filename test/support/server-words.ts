/** What a PostgreSQL says, for servers that tests make up. */

/** A message: its letter, its length, its bytes. */
export function message(letter: string, ...parts: readonly (string | number)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : Buffer.from([part]))));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + length.length);
  return Buffer.concat([Buffer.from(letter), length, body]);
}

/** Whoever knocks is known, and may ask. */
export const letIn = Buffer.concat([message('R', 0, 0, 0, 0), message('Z', 'I'.charCodeAt(0))]);
