import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { verifyAndStore } from './verify.ts';
import { namedObject } from '../http/fields.ts';

export const verifyLedger = endpoint({
  summary: 'Recompute all balances and check all invariants of the books',
  access: { allow: 'operator' },
  reply: namedObject('VerificationResult', {
    ok: T.Boolean(),
    checked: T.Integer({ description: 'How many rows all checks compared' }),
    took_ms: T.Integer(),
    checks: T.Array(T.Object({ what: T.String(), checked: T.Integer(), differences: T.Integer() })),
    differences: T.Array(
      T.Object({ what: T.String(), store_id: T.String({ description: 'Empty if the check itself failed' }), detail: T.String() }),
    ),
  }),
  inTransaction: false,
  audit: 'ledger.verify',
  async handle({ platform, identity, now }) {
    const request = { at: now, requestedBy: identity.actor, requestedByName: identity.name };
    const { checked, tookMs, checks, differences } = await verifyAndStore(platform, request);
    return { ok: differences.length === 0, checked, took_ms: tookMs, checks: [...checks], differences: [...differences] };
  },
});
