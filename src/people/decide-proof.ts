import { minuteMs } from '../core/time.ts';
import type { Identity } from './identity.ts';
import type { OperatorScope } from './permissions.ts';

/** How long a sign-in, or a password and code given again, counts as a recent proof of identity. */
export const proofMinutes = 10;

export const provedUntil = (provedAt: Date): Date => new Date(provedAt.getTime() + proofMinutes * minuteMs);

/** Whether an operation requires a recent proof: always, never, or depending on what the request accepts. */
export type ProofRule = boolean | ((request: { readonly accept: string }) => boolean);

/**
 * Rule for keys in live mode: permitted within their rights, refused, or permitted to operator keys that have this scope. An operator key
 * has rights in every store, and no permission of one store was granted to it with a proof, so it is never permitted what requires a proof.
 */
export type LiveKeys = 'permitted' | 'refused' | OperatorScope;

export type ProofRequirements = { readonly proof: ProofRule; readonly liveKeys: LiveKeys };
export type ProofFacts = {
  readonly identity: Identity | null;
  readonly mode: 'sandbox' | 'live';
  readonly accept: string;
  readonly now: Date;
};
export type ProofDecision = 'go' | 'proof_required' | 'person_required' | 'scope_missing';

/**
 * An unattended session is not enough to change money, access, or where data is sent. A key cannot prove anything, so in live mode it may
 * do such things only if the operation names a scope for it. In the sandbox a key may do everything that its rights allow.
 */
export function decideProof({ proof, liveKeys }: ProofRequirements, { identity, mode, accept, now }: ProofFacts): ProofDecision {
  if (identity === null) return 'go';
  const isGuarded = typeof proof === 'function' ? proof({ accept }) : proof;
  if (identity.by.is === 'session') return !isGuarded || now < provedUntil(identity.by.provedAt) ? 'go' : 'proof_required';
  if (mode === 'sandbox') return 'go';
  if (liveKeys === 'permitted') return isGuarded && identity.isOperator ? 'person_required' : 'go';
  if (liveKeys === 'refused') return typeof proof === 'function' && !isGuarded ? 'go' : 'person_required';
  return identity.by.scopes.has(liveKeys) ? 'go' : 'scope_missing';
}
