/** A click ID of the service as it will look when the clock shows this: the first 48 of its 256 bits are the time. */
export function clickIdAt(atMs: number, prefix = 'rmc_'): string {
  const bytes = Buffer.alloc(32, 0x70);
  bytes.writeUIntBE(Date.UTC(2026, 10, 21) + atMs, 0, 6);
  return prefix + bytes.toString('base64url');
}
