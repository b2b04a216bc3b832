import type { ServerResponse } from 'node:http';
import { releaseWhenDone } from './release-when-done.ts';

/** Bodies up to this size, such as those of postbacks, are always read. */
const smallBodyBytesMax = 16_384;

/** Whether the body of a request may have this many bytes in memory; they count until the request is done. */
export type MayHold = (bytes: number) => boolean;

/**
 * Limits the memory that large request bodies have together, because most are read before their sender is known. Only received bytes
 * count: senders that announce large bodies and do not send them leave the memory to others.
 */
export function createBodyMemory(bytesMax: number): (response: ServerResponse) => MayHold {
  let held = 0;
  return (response) => {
    let own = 0;
    return (bytes) => {
      if (bytes <= smallBodyBytesMax) return true;
      if (held - own + bytes > bytesMax) return false;
      if (own === 0) releaseWhenDone(response, () => void (held -= own));
      held += bytes - own;
      own = bytes;
      return true;
    };
  };
}
