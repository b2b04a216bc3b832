import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { namedObject, orNull } from '../http/fields.ts';
import type { Config } from '../core/config.ts';
import type { StripeAccounts } from '../payments/stripe-accounts.ts';
import { payoutMethodJson, showMethod } from './creators-api.ts';
import { findPayoutMethod } from './payout-methods-sql.ts';

const optionNames = ['sandbox', 'manual', 'stripe'] as const;
type Option = (typeof optionNames)[number];

/** The payout methods of this installation. `manual` is always possible: an operator transfers the money. */
export function payoutOptions(mode: Config['mode'], hasStripe: boolean): readonly Option[] {
  return optionNames.filter((name) => name === 'manual' || (name === 'sandbox' ? mode === 'sandbox' : hasStripe));
}

export const getPayoutMethodEndpoint = (accounts: StripeAccounts | null) =>
  endpoint({
    summary: "Get a creator's payout method, and the kinds that this installation supports",
    access: { allow: 'creator', permission: 'creator:read' },
    reply: namedObject('PayoutMethodOptions', {
      payout_method: orNull(payoutMethodJson),
      options: T.Array(T.Enum([...optionNames]), { description: '`stripe` only if the operator has configured Stripe' }),
    }),
    async handle({ platform, db, ids }) {
      const method = await findPayoutMethod(db, ids.creator);
      return { payout_method: method && showMethod(method), options: [...payoutOptions(platform.config.mode, accounts !== null)] };
    },
  });
