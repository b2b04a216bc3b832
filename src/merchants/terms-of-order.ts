import { plusDays } from '../core/time.ts';
import { termsInForce, type Terms } from './terms.ts';

/** A creator accepted an announced version before its start. */
export type Acceptance = { readonly version: number; readonly acceptedAt: Date };

/** Why another version applies to an order than the one that is in force for all. */
export type VersionChoice = {
  readonly because: 'accepted' | 'click_before_change';
  /** The time of the acceptance or of the click. */
  readonly at: Date;
  /** The version that was accepted, or that came after the click, and its start for creators who had not accepted it. */
  readonly changed: Pick<Terms, 'version' | 'effectiveFrom'>;
};

/** The version that applies to an order. `effectiveFrom` is when it began for this creator. */
export type TermsOfOrder = Terms & { readonly choice?: VersionChoice };

type OrderFacts = {
  readonly at: Date;
  /** Null: the order earns without a click. */
  readonly clickedAt: Date | null;
  /** Of the creator. */
  readonly acceptances: readonly Acceptance[];
};

/** Whether more than the time of an order decides its version. */
export const hasVersionChoices = (versions: readonly Terms[]): boolean =>
  versions.some(({ isAnnounced, protectClickDays }) => isAnnounced === true || protectClickDays !== undefined);

/**
 * The version that is in force for the creator when the order happened: an accepted version begins with its acceptance. If that version
 * protects earlier clicks and the creator has not accepted it, an order of such a click keeps the version before it.
 */
export function termsOfOrder(versions: readonly Terms[], { at, clickedAt, acceptances }: OrderFacts): TermsOfOrder | null {
  const own = versionsOfCreator(versions, acceptances, at);
  const inForce = termsInForce(own, at);
  if (inForce === null) return null;
  const kept = clickedAt === null ? null : versionOfClick(own, inForce, { at, clickedAt, acceptances });
  if (kept !== null) return kept;
  const accepted = acceptances.find(({ version }) => version === inForce.version);
  const changed = versions.find(({ version }) => version === inForce.version);
  if (accepted === undefined || changed === undefined || at >= changed.effectiveFrom) return inForce;
  return { ...inForce, choice: { because: 'accepted', at: accepted.acceptedAt, changed } };
}

/** An accepted version that was canceled applies to the orders between the two. */
function versionsOfCreator(versions: readonly Terms[], acceptances: readonly Acceptance[], at: Date): readonly Terms[] {
  if (acceptances.length === 0) return versions;
  return versions.map((terms) => {
    const { canceledAt, ...kept } = terms;
    const accepted = acceptances.find(({ version }) => version === terms.version);
    if (accepted === undefined || (canceledAt !== undefined && at >= canceledAt)) return terms;
    return { ...kept, effectiveFrom: accepted.acceptedAt < terms.effectiveFrom ? accepted.acceptedAt : terms.effectiveFrom };
  });
}

type ClickFacts = OrderFacts & { readonly clickedAt: Date };

/** Goes back one version after another, as long as each protects the click. Null: the version in force does not. */
function versionOfClick(versions: readonly Terms[], inForce: Terms, { at, clickedAt, acceptances }: ClickFacts): TermsOfOrder | null {
  const accepted = new Set(acceptances.map(({ version }) => version));
  let kept: TermsOfOrder | null = null;
  let terms = inForce;
  while (protects(terms, { at, clickedAt }) && !accepted.has(terms.version)) {
    const changed = terms;
    const before = versions.filter(({ effectiveFrom, canceledAt }) => effectiveFrom < changed.effectiveFrom && canceledAt === undefined);
    // Before the first version nothing was earned.
    if (before.length === 0) break;
    terms = termsInForce(before, changed.effectiveFrom) ?? changed;
    kept = { ...terms, choice: { because: 'click_before_change', at: clickedAt, changed } };
  }
  return kept;
}

const protects = ({ protectClickDays, effectiveFrom }: Terms, { at, clickedAt }: Pick<ClickFacts, 'at' | 'clickedAt'>): boolean =>
  protectClickDays !== undefined && clickedAt < effectiveFrom && at < plusDays(effectiveFrom, protectClickDays);
