import type { KeyFound, KeyLookUp } from '../contract/gates.ts';
import type { Platform } from '../platform/platform.ts';
import { secondMs } from '../platform/time.ts';
import { findIntegration, type Integration } from './integration-sql.ts';
import { postbackKeyTouches } from './keys.ts';

/** Only "key good, store open" is remembered, and only this long: no refusal ever comes from memory, and none later than in 2 s. */
const rememberMs = 1.5 * secondMs;
const rememberedMax = 20_000;

export function rememberedDoor(platform: Platform): KeyLookUp<Integration> {
  const open = new Map<string, { readonly found: KeyFound<Integration>; readonly at: number }>();
  const touch = postbackKeyTouches(platform);
  return async (trackingKey, postbackKeyHash) => {
    const name = `${trackingKey} ${postbackKeyHash.toString('latin1')}`;
    const known = open.get(name);
    if (known && performance.now() - known.at < rememberMs) return known.found;
    const at = performance.now();
    const found = await findIntegration(platform.database, trackingKey, postbackKeyHash);
    open.delete(name);
    if (found.is !== 'open') return found;
    open.set(name, { found, at });
    if (open.size > rememberedMax) for (const oldest of open.keys()) if (open.delete(oldest)) break;
    touch(found.integration, platform.clock.now());
    return found;
  };
}
