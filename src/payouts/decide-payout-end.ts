import type { MoneyOutcome } from '../providers/provider.ts';
import { never } from '../platform/must.ts';
import type { Contradiction, PayoutState } from './payout.ts';

/** What was heard of a payout: from a call, a look-up, the provider's news, or a person. */
export type PayoutNews = MoneyOutcome | { readonly is: 'returned'; readonly why: string };

export type Failure = { readonly code: string; readonly message: string };

export type PayoutEnd =
  /** It arrived; the provider's own name of it comes along. */
  | { readonly do: 'pay'; readonly providerId: string }
  | { readonly do: 'fail'; readonly failure: Failure }
  /** It had arrived and came back, also where nobody had told of its arrival. */
  | { readonly do: 'return'; readonly hadArrived: boolean; readonly failure: Failure }
  /** On its way, with or without a name; or nobody knows. */
  | { readonly do: 'wait'; readonly as: 'sending' | 'unknown'; readonly providerId: string | null }
  /** So it is already. */
  | { readonly do: 'nothing' }
  /** Money is elsewhere than the books say, and a person has to act: they stay as they are. */
  | { readonly do: 'contradict'; readonly why: string }
  /** The money that was told paid against its end is back: nothing is held up by it any more. */
  | { readonly do: 'decide_contradiction'; readonly why: string }
  /** It cannot be: nothing of it is believed. */
  | { readonly do: 'wonder'; readonly why: string };

type EndFacts = { readonly state: PayoutState; readonly contradiction: Contradiction };

/** What news makes of a payout. Nothing but evidence ends one: no amount of waiting turns `unknown` into anything. */
export function decidePayoutEnd({ state, contradiction }: EndFacts, news: PayoutNews): PayoutEnd {
  switch (state) {
    case 'gathering':
    case 'given_up':
    case 'awaiting_second':
    case 'ready':
      return { do: 'wonder', why: 'it was never sent' };
    case 'sending':
    case 'unknown':
      return endOfOpen(news);
    case 'paid':
      if (news.is === 'returned') return returned(news.why, true);
      if (news.is !== 'declined' || contradiction !== 'none') return { do: 'nothing' };
      return { do: 'contradict', why: 'it was paid, and is told declined' };
    case 'failed':
      return endOfFailed(contradiction, news);
    case 'returned':
      return { do: 'nothing' };
    default:
      return never(state);
  }
}

function endOfOpen(news: PayoutNews): PayoutEnd {
  switch (news.is) {
    case 'succeeded':
      return { do: 'pay', providerId: news.providerId };
    case 'declined':
      return { do: 'fail', failure: { code: news.code, message: news.message } };
    case 'returned':
      return returned(news.why, false);
    case 'pending':
      return { do: 'wait', as: 'sending', providerId: news.providerId };
    case 'unknown':
      return { do: 'wait', as: 'unknown', providerId: null };
    default:
      return never(news);
  }
}

/** News comes twice and late. Only what contradicts the end is worth a look, once, and what settles that. */
function endOfFailed(contradiction: Contradiction, news: PayoutNews): PayoutEnd {
  if (news.is !== 'succeeded' && news.is !== 'returned') return { do: 'nothing' };
  if (contradiction === 'decided') return { do: 'nothing' };
  if (news.is === 'succeeded')
    return contradiction === 'open' ? { do: 'nothing' } : { do: 'contradict', why: 'it failed, and is told paid' };
  return contradiction === 'open'
    ? { do: 'decide_contradiction', why: news.why }
    : { do: 'wonder', why: 'it failed, and is told returned' };
}

const returned = (why: string, hadArrived: boolean): PayoutEnd => ({
  do: 'return',
  hadArrived,
  failure: { code: 'returned', message: why },
});

export type AskFacts = {
  readonly now: Date;
  readonly sentAt: Date;
  readonly askedAt: Date;
  readonly keyLifeMs: number;
};

/** Whoever told it to pay a moment ago may still be waiting for the answer. */
export const patienceMs = 60_000;

/**
 * How a payout that is on its way is asked about. First by a look-up, which moves nothing; where that finds nothing, the same
 * key again, as long as the provider surely knows it.
 */
export function decideAsk({ now, sentAt, askedAt, keyLifeMs }: AskFacts): 'not_yet' | 'look_up_then_pay' | 'look_up' {
  if (now.getTime() < askedAt.getTime() + patienceMs) return 'not_yet';
  return now.getTime() < sentAt.getTime() + keyLifeMs ? 'look_up_then_pay' : 'look_up';
}

/** `absent` is evidence only once nothing of the last call can be on its way any more, and the search has caught up. */
export const isSurelyAbsent = ({ now, askedAt }: Pick<AskFacts, 'now' | 'askedAt'>, absentIsSureAfterMs: number): boolean =>
  now.getTime() >= askedAt.getTime() + absentIsSureAfterMs;
