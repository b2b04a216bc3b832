import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { registerPostbacks, type PostbackEndpoint, type Postback } from '../src/contract/postback-endpoint.ts';
import { readClickId } from '../src/contract/click-id.ts';
import { FieldError } from '../src/contract/fields.ts';
import type { Outcome } from '../src/contract/reply.ts';
import { cacheOpenKeys } from '../src/contract/request-checks.ts';
import { findIntegration, type Integration } from '../src/merchants/integration-sql.ts';
import { termsOfPrograms } from '../src/merchants/terms-sql.ts';
import { resolveLinksByNumber } from '../src/creators/resolve-links-sql.ts';
import { termsInForce } from '../src/merchants/terms.ts';
import { conversionOutcome, decideConversion, type ConversionFacts, type ReferralClick } from '../src/orders/decide-conversion.ts';
import { conversionFields, readConversion, type ConversionReport } from '../src/orders/report.ts';
import { newId } from '../src/core/ids.ts';
import { invariant } from '../src/core/invariant.ts';
import { insertOneRow, inSevenRoundTrips, inOneStatement, type Conversion, type PostedOrder } from './baseline-sql.ts';
import type { Parts } from './clicks.ts';

export type PostbackContestant = 'seven round trips' | 'one statement' | 'one inserted row' | 'without the database';

/** The endpoint, parsers, and decisions are the same; loading facts and writing rows differ. */
export const postbackContestants: Readonly<Record<PostbackContestant, (app: FastifyInstance, parts: Parts) => void>> = {
  'seven round trips': (app, parts) => conversions(app, parts, (posted) => inSevenRoundTrips(parts.platform.database, posted)),
  // All its facts are in memory, including mutable ones: an advantage that the real service cannot have.
  'one statement': (app, parts) => {
    const known = rememberedClicks(parts);
    conversions(app, parts, async (posted) => {
      const conversion = posted.decide({ click: await known(posted), isKnown: false });
      await inOneStatement(parts.platform.database, conversion);
      return conversion;
    });
  },
  // Not a service: no claim on the click, commission, ledger, rollups, or log.
  'one inserted row': (app, parts) => {
    const known = rememberedClicks(parts);
    conversions(app, parts, async (posted) => {
      const conversion = posted.decide({ click: await known(posted), isKnown: false });
      await insertOneRow(parts.platform.database.pool, conversion);
      return conversion;
    });
  },
  'without the database': (app, parts) => {
    const known = rememberedClicks(parts);
    conversions(app, parts, async (posted) => posted.decide({ click: await known(posted), isKnown: false }));
  },
};

function conversions(app: FastifyInstance, parts: Parts, keep: (posted: PostedOrder) => Promise<Conversion>): void {
  const endpoint: PostbackEndpoint<Integration> = {
    findKey: cacheOpenKeys(
      (trackingKey, keyHash) => findIntegration(parts.platform.tenants, trackingKey, keyHash),
      () => {},
    ),
    limiter: { take: () => () => {} },
    retryAfterSeconds: () => 2,
    now: parts.platform.clock.now,
    onAnswered: () => {},
    onAuthenticated: async () => {},
    onUnauthenticated: () => {},
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  };
  const handle = async (postback: Postback<Integration>): Promise<Outcome> => {
    const report = readConversion(postback.json);
    invariant(!(report instanceof FieldError), 'the orders of the benchmark are readable');
    return (await keep(postedOf(parts, report, postback))).explained.outcome;
  };
  registerPostbacks(app, endpoint, [{ path: 'conversions', operation: 'conversion', fields: conversionFields, handle }]);
}

function postedOf({ platform, ring }: Parts, report: ConversionReport, postback: Postback<Integration>): PostedOrder {
  const now = platform.clock.now();
  const { storeId } = postback.integration;
  const read = readClickId(report.clickId ?? '', ring.keys());
  invariant(read.is === 'genuine', 'the clicks of the benchmark are genuine');
  const orderHash = hash('sha256', report.orderId, 'buffer');
  return {
    report,
    postback,
    orderHash,
    click: { ...read, kind: 'referral', isCreatorSuspended: false, backsAnotherOrder: false },
    decide({ click, isKnown }) {
      invariant(!isKnown, 'the orders of the benchmark are new');
      const fresh = { transactionId: newId<'ord'>(now), commissionId: newId<'com'>(now) };
      const facts: ConversionFacts = { now, storeId, earlier: null, click, wasReversedEarly: false, partners: null, fresh };
      const decision = decideConversion(report, facts);
      invariant(decision.do === 'record', 'the orders of the benchmark are good');
      return { ...decision, explained: conversionOutcome(decision), postback, orderHash, now };
    },
  };
}

/** The link and terms of a click, read once. */
function rememberedClicks({ platform }: Parts): (posted: PostedOrder) => Promise<ReferralClick> {
  let found: Promise<Pick<ReferralClick, 'programId' | 'creatorId' | 'terms'>> | null = null;
  const read = async ({ click, postback, report }: PostedOrder) => {
    const { storeId } = postback.integration;
    const [link] = await resolveLinksByNumber(platform.database, [{ storeId, linkNumber: click.linkNumber }]);
    invariant(link && report.occurredAt !== 'unreadable', 'the link exists');
    const terms = await termsOfPrograms(platform.database, [link]);
    return { ...link, terms: termsInForce(terms.get(link.programId) ?? [], report.occurredAt) };
  };
  return async (posted) => ({ ...posted.click, ...(await (found ??= read(posted))) });
}
