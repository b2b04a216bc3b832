import { isTimeZone } from '../core/time-zone.ts';
import type { FieldError } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { TierTerms } from './terms.ts';

/** Tiers as requested. */
export type TiersDraft<OrderRules, SubscriptionRules> = Pick<TierTerms, 'measure' | 'period' | 'timeZone'> & {
  readonly tiers: ReadonlyArray<{
    readonly threshold: number;
    readonly orderRules: OrderRules;
    readonly subscriptionRules: SubscriptionRules;
  }>;
};

const thresholdMax = 1_000_000_000_000;

/** The errors of tiers besides those of their rules. */
export function errorsOfTiers({ timeZone, tiers }: TiersDraft<readonly unknown[], readonly unknown[]>): readonly FieldError[] {
  const zoneErrors = isTimeZone(timeZone) ? [] : [{ field: 'tiers.time_zone', message: apiMessage('decide_terms.not_a_time_zone') }];
  if (tiers.length === 0) return [...zoneErrors, { field: 'tiers.tiers', message: apiMessage('decide_terms.needs_a_tier') }];
  return [
    ...zoneErrors,
    ...tiers.flatMap(({ threshold, orderRules, subscriptionRules }, index): readonly FieldError[] => {
      const field = `tiers.tiers.${index}`;
      const least = (tiers[index - 1]?.threshold ?? 0) + 1;
      if (threshold < 1 || threshold > thresholdMax)
        return [
          { field: `${field}.threshold`, message: apiMessage('decide_terms.must_whole_number_from', { least: 1, most: thresholdMax }) },
        ];
      if (threshold < least) return [{ field: `${field}.threshold`, message: apiMessage('decide_terms.thresholds_ascend') }];
      if (orderRules.length + subscriptionRules.length === 0)
        return [{ field: `${field}.order_rules`, message: apiMessage('decide_terms.needs_a_rule') }];
      return [];
    }),
  ];
}
