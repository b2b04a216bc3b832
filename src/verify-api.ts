import { Type as T } from 'typebox';
import { endpoint } from './people/endpoint.ts';
import { keepVerification } from './operating/verifications-sql.ts';
import { newId, publicId } from './platform/ids.ts';
import { verify } from './verify.ts';

export const verifyLedger = endpoint({
  summary: 'Recompute every balance and look whether everything that must be true is',
  access: { who: 'operator' },
  reply: T.Object({
    ok: T.Boolean(),
    checked: T.Integer({ description: 'How many rows were looked at, in all checks together' }),
    checks: T.Array(T.Object({ what: T.String(), checked: T.Integer(), differences: T.Integer() })),
    differences: T.Array(T.Object({ what: T.String(), store_id: T.String(), detail: T.String() })),
  }),
  inTransaction: false,
  audit: 'ledger.verify',
  async handle({ platform, identity, now }) {
    const results = await verify(platform);
    const differences = results.flatMap((result) =>
      result.differences.map(({ storeId, detail }) => ({ what: result.what, store_id: publicId('store', storeId), detail })),
    );
    const checked = results.reduce((sum, { rows }) => sum + rows, 0n);
    const by = { askedBy: identity.actor, askedByName: identity.name };
    await keepVerification(platform.database, { verificationId: newId(now), at: now, checked, differences: differences.length, ...by });
    return {
      ok: differences.length === 0,
      checked: Number(checked),
      checks: results.map(({ what, rows, differences: found }) => ({ what, checked: Number(rows), differences: found.length })),
      differences,
    };
  },
});
