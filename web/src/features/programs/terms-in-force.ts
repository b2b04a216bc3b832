import type { Terms } from '../../../../sdk/src/api-schema.ts';

/** A created version always has a start time in the past, whatever the viewer's clock says. */
export const nowOrLastCreation = (now: Date, versions: readonly Terms[]): Date =>
  new Date(Math.max(now.getTime(), ...versions.map(({ made_at: at }) => Date.parse(at))));

/** As the service does: the latest started version; of two with the same start, the later one. */
export function versionInForce(versions: readonly Terms[], now: Date): Terms | null {
  const begun = versions.filter(({ effective_from: from, canceled_at: canceled }) => new Date(from) <= now && canceled === undefined);
  return begun.reduce<Terms | null>((best, terms) => {
    if (best === null || terms.effective_from > best.effective_from) return terms;
    return terms.effective_from === best.effective_from && terms.version > best.version ? terms : best;
  }, null);
}
