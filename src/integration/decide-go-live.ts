import type { IntegrationCheck } from './decide-checks.ts';

export type GoLiveFacts = {
  readonly isStoreOpen: boolean;
  readonly isIntegrationEnabled: boolean;
  readonly checks: readonly IntegrationCheck[];
  readonly hasPaymentMethod: boolean;
  /** A published program has terms in force. */
  readonly isProgramOpen: boolean;
  readonly hasLinkThatEarns: boolean;
  /** Keys that are not revoked. */
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
      text: off === 0 ? 'All six checks have passed.' : `${off} of the six checks ${off === 1 ? 'has' : 'have'} not passed.`,
    },
    { item: 'one_key', ...judgeKeys(facts.keys) },
    { item: 'store_open', ...judgeStore(facts) },
    {
      item: 'payment_method',
      isDone: hasPaymentMethod,
      text: hasPaymentMethod ? 'A payment method is saved.' : 'Save a payment method: commissions are charged to it once a month.',
    },
    {
      item: 'program',
      isDone: isProgramOpen,
      text: isProgramOpen ? 'A program is published, with terms in force.' : 'Publish a program with terms that are in force.',
    },
    {
      item: 'link',
      isDone: facts.hasLinkThatEarns,
      text: facts.hasLinkThatEarns
        ? 'An approved creator has a link.'
        : 'Let a creator take part in a published program, and make them a link: real clicks come by links only.',
    },
  ];
}

type Judged = Pick<GoLiveItem, 'isDone' | 'text'>;

/** A second key is only for rotation: once the newer key is in use, the older one is to be revoked. */
function judgeKeys(keys: GoLiveFacts['keys']): Judged {
  const [younger, older] = keys.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  if (younger === undefined) return { isDone: false, text: 'Make a postback key for your server.' };
  if (younger.lastUsedAt === null)
    return { isDone: false, text: `Put the key ending in ${younger.last4} on your server: it was never used.` };
  if (older === undefined) return { isDone: true, text: `There is one active key, ending in ${younger.last4}, and it is in use.` };
  return { isDone: false, text: `The key ending in ${younger.last4} is in use: revoke the older one, ending in ${older.last4}.` };
}

function judgeStore({ isStoreOpen, isIntegrationEnabled }: GoLiveFacts): Judged {
  if (!isStoreOpen) return { isDone: false, text: 'The store is archived or past due: its links give no clicks.' };
  if (!isIntegrationEnabled) return { isDone: false, text: 'The integration is disabled: every postback is refused.' };
  return { isDone: true, text: 'The store is open and its integration enabled.' };
}
