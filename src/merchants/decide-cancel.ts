import { apiMessage } from '../messages/api-message.ts';
import { applicableVersions, type Terms, type TermsSettings } from './terms.ts';

export type CancelDecision =
  | { readonly do: 'cancel'; readonly terms: Terms; readonly settings: TermsSettings | null }
  | { readonly do: 'keep'; readonly terms: Terms }
  | { readonly do: 'refuse'; readonly reason: 'unprocessable' | 'conflict'; readonly message: string };

/** A version can be canceled until it starts. The program’s settings become those of the last version that remains. */
export function decideCancel(versions: readonly Terms[], version: number, now: Date): CancelDecision {
  const terms = versions.find((one) => one.version === version);
  if (terms === undefined) return { do: 'refuse', reason: 'unprocessable', message: apiMessage('terms_file.version_unknown') };
  if (terms.canceledAt !== undefined) return { do: 'keep', terms };
  if (terms.effectiveFrom <= now) return { do: 'refuse', reason: 'conflict', message: apiMessage('program_terms.version_started') };
  const remaining = versions.filter((one) => !isReplaced(one, terms));
  const last = applicableVersions(remaining).at(-1) ?? null;
  return {
    do: 'cancel',
    terms,
    settings: last && { attributionDays: last.attributionDays, holdDays: last.holdDays, approval: last.approval },
  };
}

/** Versions with the same start that were replaced by this one do not come back. */
const isReplaced = ({ version, effectiveFrom }: Terms, by: Terms): boolean =>
  version <= by.version && effectiveFrom.getTime() === by.effectiveFrom.getTime();
