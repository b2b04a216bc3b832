import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { minuteMs } from '../core/time.ts';
import { decideProof, proofMinutes, type ProofRequirements, type ProofFacts } from './decide-proof.ts';
import type { Identity } from './identity.ts';
import type { OperatorScope } from './permissions.ts';

const now = new Date('2026-03-01T12:00:00Z');
const rights = {
  actor: 'user_1',
  name: 'Olive',
  isOperator: true,
  mustSetUpSecondFactor: false,
  stores: new Map(),
  creator: null,
} as const;
const session = (minutesAgo: number): Identity => ({
  ...rights,
  by: {
    is: 'session',
    userId: newId<'user'>(now),
    sessionId: newId<'sess'>(now),
    provedAt: new Date(now.getTime() - minutesAgo * minuteMs),
  },
});
const key = (...scopes: OperatorScope[]): Identity => ({
  ...rights,
  by: { is: 'key', apiKeyId: newId<'key'>(now), scopes: new Set(scopes) },
});
const guarded: ProofRequirements = { proof: true, liveKeys: 'refused' };
const usual: ProofFacts = { identity: session(proofMinutes), mode: 'live', accept: 'application/json', now };
const onlyFiles = { proof: ({ accept }: { readonly accept: string }) => accept === 'text/csv', liveKeys: 'refused' } as const;

test.each<readonly [string, Partial<ProofRequirements>, Partial<ProofFacts>, ReturnType<typeof decideProof>]>([
  ['a session proved ten minutes ago must prove again', {}, {}, 'proof_required'],
  ['a session proved a moment ago is permitted', {}, { identity: session(proofMinutes - 1) }, 'go'],
  ['the sandbox requires a proof of a session too', {}, { mode: 'sandbox' }, 'proof_required'],
  ['an operation without a proof accepts an old session', { proof: false, liveKeys: 'permitted' }, { identity: session(60) }, 'go'],
  ['an old session reads the list', onlyFiles, {}, 'go'],
  ['an old session does not download the file', onlyFiles, { accept: 'text/csv' }, 'proof_required'],
  ['a key is refused in live mode', {}, { identity: key() }, 'person_required'],
  ['a key that may start runs is refused other operations', {}, { identity: key('billing:run', 'payouts:run') }, 'person_required'],
  ['a key reads the list in live mode', onlyFiles, { identity: key() }, 'go'],
  ['a key does not download the file in live mode', onlyFiles, { identity: key(), accept: 'text/csv' }, 'person_required'],
  ['a key is refused if an operation requires a person but no proof', { proof: false }, { identity: key() }, 'person_required'],
  ['a key without the scope cannot start a run', { liveKeys: 'payouts:run' }, { identity: key('billing:run') }, 'scope_missing'],
  ['a key with the scope can start a run', { liveKeys: 'payouts:run' }, { identity: key('payouts:run') }, 'go'],
  ['a store key may use its own permission in live mode', { liveKeys: 'permitted' }, { identity: { ...key(), isOperator: false } }, 'go'],
  ['an operator key may not, in any store', { liveKeys: 'permitted' }, { identity: key() }, 'person_required'],
  ['an operator key may use an operation without a proof', { proof: false, liveKeys: 'permitted' }, { identity: key() }, 'go'],
  ['a key in the sandbox may do everything that its rights allow', {}, { identity: key(), mode: 'sandbox' }, 'go'],
  ['a key in the sandbox needs no scope', { liveKeys: 'payouts:run' }, { identity: key(), mode: 'sandbox' }, 'go'],
  ['a request without an identity has nothing to prove', {}, { identity: null }, 'go'],
])('%s', (_what, rule, facts, decision) => {
  expect(decideProof({ ...guarded, ...rule }, { ...usual, ...facts })).toBe(decision);
});
