import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const probeMs = 50;
const probeBytes = 4_096;

/** Repeatedly writes a little next to the database, to measure how long the disk delays a write. */
export async function watchDisk(): Promise<{ readonly longestMs: () => Promise<number> }> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-disk-'));
  const file = await open(join(folder, 'probe'), 'w');
  const bytes = Buffer.alloc(probeBytes);
  const over = new AbortController();
  let longest = 0;
  const probing = (async () => {
    while (!over.signal.aborted) {
      const startedAt = performance.now();
      await file.write(bytes, 0, probeBytes, 0);
      await file.datasync();
      longest = Math.max(longest, performance.now() - startedAt);
      await pause(probeMs);
    }
  })();
  return {
    async longestMs() {
      over.abort();
      await probing;
      await file.close();
      rmSync(folder, { recursive: true });
      return Math.round(longest);
    },
  };
}
