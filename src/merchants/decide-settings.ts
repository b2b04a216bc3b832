import type { FieldError } from '../http/responses.ts';
import { applicableVersions, termsInForce, type Approval, type Terms, type TermsRules, type TermsSettings } from './terms.ts';

export const settingsUsual: TermsSettings = { attributionDays: 30, holdDays: 30, approval: { by: 'hand' } };

/** Undefined keeps the current value. */
export type SettingsChange = {
  readonly attributionDays?: number | undefined;
  readonly holdDays?: number | undefined;
  readonly approval?: 'manual' | 'auto' | undefined;
  readonly autoApproveDays?: number | null | undefined;
};

export type SettingsDecision =
  | { readonly do: 'keep' }
  | { readonly do: 'change'; readonly settings: TermsSettings }
  | { readonly do: 'refuse'; readonly fieldError: FieldError };

/** Returns the settings after the change. The request schema has already checked the ranges. */
export function decideSettings(former: TermsSettings, change: SettingsChange): SettingsDecision {
  const isAutomatic = change.approval === undefined ? former.approval.by === 'time' : change.approval === 'auto';
  const formerDays = former.approval.by === 'time' ? former.approval.afterDays : null;
  const afterDays = change.autoApproveDays === undefined ? formerDays : change.autoApproveDays;
  if (isAutomatic && afterDays === null) return refuse('is required if approval is "auto"');
  if (!isAutomatic && typeof change.autoApproveDays === 'number') return refuse('is allowed only if approval is "auto"');

  const approval: Approval = isAutomatic && afterDays !== null ? { by: 'time', afterDays } : { by: 'hand' };
  const settings = {
    attributionDays: change.attributionDays ?? former.attributionDays,
    holdDays: change.holdDays ?? former.holdDays,
    approval,
  };
  return areSame(former, settings) ? { do: 'keep' } : { do: 'change', settings };
}

const refuse = (message: string): SettingsDecision => ({ do: 'refuse', fieldError: { field: 'auto_approve_days', message } });

function areSame(one: TermsSettings, other: TermsSettings): boolean {
  const daysOf = ({ approval }: TermsSettings) => (approval.by === 'time' ? approval.afterDays : null);
  return one.attributionDays === other.attributionDays && one.holdDays === other.holdDays && daysOf(one) === daysOf(other);
}

export type NextVersion = TermsRules & Pick<Terms, 'effectiveFrom' | 'isAnnounced'>;

/**
 * Returns the versions to add when the settings change: the current rules effective immediately, and each scheduled version again with its
 * own start time, because it would otherwise restore the former settings. Of two versions with the same start time, the later-created one
 * applies.
 */
export function versionsForNewSettings(versions: readonly Terms[], now: Date): readonly NextVersion[] {
  const applicable = applicableVersions(versions);
  const inForce = applicable.some(({ effectiveFrom }) => effectiveFrom <= now) ? termsInForce(versions, now) : null;
  const scheduled = applicable.filter(({ effectiveFrom }) => effectiveFrom > now);
  return [
    ...(inForce === null ? [] : [{ ...rulesOf(inForce), effectiveFrom: now }]),
    ...scheduled.map((terms) => ({ ...rulesOf(terms), effectiveFrom: terms.effectiveFrom })),
  ];
}

const rulesOf = ({
  pays,
  orderRules,
  subscriptionRules,
  attribution,
  rates,
  budget,
  goals,
  noticeDays,
  protectClickDays,
}: TermsRules): TermsRules => ({
  pays,
  orderRules,
  subscriptionRules,
  attribution,
  rates,
  ...(budget && { budget }),
  ...(noticeDays && { noticeDays }),
  ...(protectClickDays && { protectClickDays }),
  ...(goals && { goals }),
});
