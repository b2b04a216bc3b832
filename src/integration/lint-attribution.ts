import type { AttributionTerms } from '../merchants/terms.ts';

/** A program with terms in force, and its codes that can earn now. */
export type ProgramAttribution = {
  readonly programId: string;
  readonly name: string;
  readonly attribution: AttributionTerms;
  readonly codes: number;
  /** The codes among them with a limit per customer. */
  readonly limitedCodes: number;
  /** The kinds of its latest leads. */
  readonly leadKinds: readonly string[];
};

/** What the latest recorded orders of the store named. */
export type SeenOrders = { readonly orders: number; readonly withCustomer: number; readonly withCode: number };

export const attributionWarnings = [
  'codes_off_with_codes',
  'codes_on_without_codes',
  'codes_never_named',
  'before_click_in_one_program',
  'limit_without_customer_ids',
  'returning_without_customer_ids',
  'leads_never_reported',
  'lead_kind_not_paid',
] as const;
export type AttributionWarning = {
  readonly warning: (typeof attributionWarnings)[number];
  readonly programId: string;
  readonly programName: string;
};

/** Fewer orders show nothing about what a store's orders name. */
export const seenOrdersMin = 10;

/** Settings that contradict each other, or what the store reports: each is possible, but probably not what was meant. */
export function lintAttribution(programs: readonly ProgramAttribution[], seen: SeenOrders): readonly AttributionWarning[] {
  const hasSeen = seen.orders >= seenOrdersMin;
  const lacksCustomers = hasSeen && seen.withCustomer === 0;
  const lacksCodes = hasSeen && seen.withCode === 0;
  const areOthersBehindClicks = (programId: string) =>
    programs.some((other) => other.programId !== programId && other.attribution.codes !== 'before_click');
  return programs.flatMap(
    ({ programId, name: programName, attribution: { codes, returning, leads }, codes: count, limitedCodes, leadKinds }) => {
      const areOn = codes !== 'off';
      const paidKinds = new Set(leads.map(({ kind }) => kind));
      const found: Readonly<Record<AttributionWarning['warning'], boolean>> = {
        codes_off_with_codes: !areOn && count > 0,
        codes_on_without_codes: areOn && count === 0,
        codes_never_named: areOn && count > 0 && lacksCodes,
        before_click_in_one_program: codes === 'before_click' && areOthersBehindClicks(programId),
        limit_without_customer_ids: areOn && limitedCodes > 0 && lacksCustomers,
        returning_without_customer_ids: returning !== null && lacksCustomers,
        leads_never_reported: leads.length > 0 && leadKinds.length === 0 && hasSeen,
        lead_kind_not_paid: leads.length > 0 && leadKinds.some((kind) => !paidKinds.has(kind)),
      };
      return attributionWarnings.flatMap((warning) => (found[warning] ? [{ warning, programId, programName }] : []));
    },
  );
}
