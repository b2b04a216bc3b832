import { refuse, type Refusal } from '../platform/http/answers.ts';
import { minuteMs } from '../platform/time.ts';
import type { Identity } from './identity.ts';

/** How long a proof of identity (a sign-in, a password and code given again) is enough for what is delicate. */
export const proofMinutes = 10;

export const provedUntil = (provedAt: Date): Date => new Date(provedAt.getTime() + proofMinutes * minuteMs);

/** A session left open on somebody's desk must not be enough to make a key or to switch the second factor off. */
export function proofRefusal(identity: Identity | null, now: Date): Refusal | null {
  if (identity === null || identity.by.is === 'key' || now < provedUntil(identity.by.provedAt)) return null;
  return refuse('proof_required', 'Prove once more that it is you: POST your password to /api/v1/session/proof, then repeat this.');
}
