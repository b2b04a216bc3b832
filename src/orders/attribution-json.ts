import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { attributionRules, codeProblems, type AttributionWhy } from '../contract/why.ts';
import { readPublicId, type Id } from '../core/ids.ts';
import { namedObject, orNull, singleAmountField } from '../http/fields.ts';

export const attributedBy = T.Enum(['click', 'code', 'customer'], { title: 'AttributedBy' });

/** What an order had besides a click, and which rule decided. */
export const attributionJson = namedObject('OrderAttribution', {
  rule: T.Enum([...attributionRules], { title: 'AttributionRule' }),
  attributed_by: attributedBy,
  discount_code: orNull(T.String()),
  customer_since: orNull(T.String()),
  customer_order: orNull(T.Integer({ description: "Which of the customer's later orders it is" })),
  compared: orNull(
    namedObject('ComparedPartner', {
      by: attributedBy,
      creator_id: T.String(),
      creator_name: T.String(),
      discount_code: orNull(T.String()),
      clicked_at: orNull(T.String()),
      customer_since: orNull(T.String()),
      commission_cents: singleAmountField(),
    }),
  ),
  rejected_codes: T.Array(T.Object({ discount_code: T.String(), because: T.Enum([...codeProblems], { title: 'CodeProblem' }) })),
});

export const comparedCreator = (attribution: AttributionWhy | null): Id<'crt'> | null =>
  readPublicId('crt', attribution?.compared?.creator_id ?? '');

/** `nameOf` gets public IDs. */
export function showAttribution(attribution: AttributionWhy, nameOf: (creatorId: string) => string): Static<typeof attributionJson> {
  const { rule, attributed_by, discount_code, customer_since, customer_order, compared, rejected_codes: rejected = [] } = attribution;
  return {
    rule,
    attributed_by,
    discount_code: discount_code ?? null,
    customer_since: customer_since ?? null,
    customer_order: customer_order ?? null,
    compared:
      compared === undefined
        ? null
        : {
            by: compared.by,
            creator_id: compared.creator_id,
            creator_name: nameOf(compared.creator_id),
            discount_code: compared.discount_code ?? null,
            clicked_at: compared.clicked_at ?? null,
            customer_since: compared.customer_since ?? null,
            commission_cents: compared.commission_cents ?? 0,
          },
    rejected_codes: [...rejected],
  };
}

export type Names = ReadonlyMap<Id<'crt'>, string>;
export const nameIn = (names: Names, publicCreatorId: string): string => {
  const id = readPublicId('crt', publicCreatorId);
  return (id && names.get(id)) ?? publicCreatorId;
};

/** The explanation names the creators instead of their IDs. */
export const withNames = (attribution: AttributionWhy, creatorName: string, names: Names): AttributionWhy => ({
  ...attribution,
  attributed_to: creatorName,
  ...(attribution.compared && { compared: { ...attribution.compared, creator_id: nameIn(names, attribution.compared.creator_id) } }),
});
