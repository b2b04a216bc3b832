import type { IntegrationCheck } from './decide-checks.ts';
import { apiMessage } from '../messages/api-message.ts';

export type GoLiveFacts = {
  readonly isStoreOpen: boolean;
  readonly isIntegrationEnabled: boolean;
  readonly checks: readonly IntegrationCheck[];
  readonly hasPaymentMethod: boolean;
  /** A published program has terms in force. */
  readonly isProgramOpen: boolean;
  readonly hasLinkThatEarns: boolean;
  /** Keys that are not revoked. */
  /** Stripe delivers the store's events, so that it needs no key. */
  readonly isStripeConnected: boolean;
  /** The same for the store's Shopify shop. */
  readonly isShopifyConnected: boolean;
  readonly keys: ReadonlyArray<{ readonly last4: string; readonly createdAt: Date; readonly lastUsedAt: Date | null }>;
};

export type GoLiveItem = {
  readonly item: 'lights' | 'one_key' | 'store_open' | 'payment_method' | 'program' | 'link';
  readonly isDone: boolean;
  readonly text: string;
};

/** What must be done before the first real order earns. Each item is derived from data, never set by hand. */
export function decideGoLive(facts: GoLiveFacts): readonly GoLiveItem[] {
  const { checks, hasPaymentMethod, isProgramOpen } = facts;
  const off = checks.filter(({ isOn }) => !isOn).length;
  return [
    {
      item: 'lights',
      isDone: off === 0,
      text:
        off === 0
          ? apiMessage('decide_go_live.all_six_checks_have_passed')
          : apiMessage('decide_go_live.six_checks_not_passed', { count: off }),
    },
    { item: 'one_key', ...judgeKeys(facts) },
    { item: 'store_open', ...judgeStore(facts) },
    {
      item: 'payment_method',
      isDone: hasPaymentMethod,
      text: hasPaymentMethod
        ? apiMessage('decide_go_live.payment_method_saved')
        : apiMessage('decide_go_live.save_payment_method_commissions_charged'),
    },
    {
      item: 'program',
      isDone: isProgramOpen,
      text: isProgramOpen
        ? apiMessage('decide_go_live.program_published_with_terms_force')
        : apiMessage('decide_go_live.publish_program_with_terms_force'),
    },
    {
      item: 'link',
      isDone: facts.hasLinkThatEarns,
      text: facts.hasLinkThatEarns
        ? apiMessage('decide_go_live.approved_creator_has_link')
        : apiMessage('decide_go_live.let_creator_take_part_published'),
    },
  ];
}

type Judged = Pick<GoLiveItem, 'isDone' | 'text'>;

/** A second key is only for rotation: once the newer key is in use, the older one is to be revoked. */
function judgeKeys({ keys, isStripeConnected, isShopifyConnected }: GoLiveFacts): Judged {
  const [younger, older] = keys.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  if (younger === undefined && isStripeConnected) return { isDone: true, text: apiMessage('decide_go_live.stripe_needs_no_key') };
  if (younger === undefined && isShopifyConnected) return { isDone: true, text: apiMessage('decide_go_live.shopify_needs_no_key') };
  if (younger === undefined) return { isDone: false, text: apiMessage('decide_go_live.make_postback_key_for_your') };
  if (younger.lastUsedAt === null)
    return { isDone: false, text: apiMessage('decide_go_live.put_key_ending_on_your', { last4: younger.last4 }) };
  if (older === undefined)
    return { isDone: true, text: apiMessage('decide_go_live.there_one_active_key_ending', { last4: younger.last4 }) };
  return { isDone: false, text: apiMessage('decide_go_live.key_ending_use_revoke_older', { last4: younger.last4, last2: older.last4 }) };
}

function judgeStore({ isStoreOpen, isIntegrationEnabled }: GoLiveFacts): Judged {
  if (!isStoreOpen) return { isDone: false, text: apiMessage('decide_go_live.store_archived_or_past_due') };
  if (!isIntegrationEnabled) return { isDone: false, text: apiMessage('decide_go_live.integration_disabled_every_postback_refu') };
  return { isDone: true, text: apiMessage('decide_go_live.store_open_and_its_integration') };
}
