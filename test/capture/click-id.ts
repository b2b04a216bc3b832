/** A click ID minted at the given time: the first 48 of its 256 bits encode the time. */
export function clickIdAt(atMs: number, prefix = 'rmc_'): string {
  const bytes = Buffer.alloc(32, 0x70);
  bytes.writeUIntBE(Date.UTC(2026, 10, 21) + atMs, 0, 6);
  return prefix + bytes.toString('base64url');
}
