import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { registerPostbacks, type Door, type Postback } from '../src/contract/door.ts';
import { readClickId } from '../src/contract/click-id.ts';
import { Fault } from '../src/contract/fields.ts';
import type { Outcome } from '../src/contract/reply.ts';
import { rememberedDoor } from '../src/merchants/door-memory.ts';
import type { Integration } from '../src/merchants/integration-sql.ts';
import { termsOfPrograms } from '../src/merchants/terms-sql.ts';
import { linksByNumber } from '../src/creators/link-standing-sql.ts';
import { termsInForce } from '../src/merchants/terms.ts';
import { decideConversion, type ConversionFacts, type ReferralClick } from '../src/orders/decide-conversion.ts';
import { outcomeOfConversion } from '../src/orders/outcome.ts';
import { conversionFields, readConversion, type ConversionReport } from '../src/orders/report.ts';
import { newId } from '../src/platform/ids.ts';
import { must } from '../src/platform/must.ts';
import { inSevenRoundTrips, inOneStatement, type Conversion } from './baseline-sql.ts';
import type { Parts } from './clicks.ts';

export type PostbackContestant = 'seven round trips' | 'one statement' | 'without the database';

/** The same door, the same reading, the same law; what differs is how the facts come and how the rows are kept. */
export const postbackContestants: Readonly<Record<PostbackContestant, (app: FastifyInstance, parts: Parts) => void>> = {
  'seven round trips': (app, parts) => conversions(app, parts, (asked) => inSevenRoundTrips(parts.platform.database, asked)),
  // Its facts are all in memory, also those that may change: an advantage that the real thing cannot have.
  'one statement': (app, parts) => {
    const known = rememberedClicks(parts);
    conversions(app, parts, async (asked) => {
      const conversion = asked.decide({ click: await known(asked), isKnown: false });
      await inOneStatement(parts.platform.database, conversion);
      return conversion;
    });
  },
  'without the database': (app, parts) => {
    const known = rememberedClicks(parts);
    conversions(app, parts, async (asked) => asked.decide({ click: await known(asked), isKnown: false }));
  },
};

/** What a way of keeping orders is given: the report, and the law that turns facts into what is to be kept. */
export type Asked = {
  readonly report: ConversionReport;
  readonly postback: Postback<Integration>;
  readonly orderHash: Buffer;
  readonly click: Omit<ReferralClick, 'programId' | 'creatorId' | 'terms'>;
  readonly decide: (facts: { readonly click: ReferralClick; readonly isKnown: boolean }) => Conversion;
};

function conversions(app: FastifyInstance, parts: Parts, keep: (asked: Asked) => Promise<Conversion>): void {
  const door: Door<Integration> = {
    lookUp: rememberedDoor(parts.platform),
    places: { take: () => () => {} },
    comeAgainIn: () => 2,
    now: parts.platform.clock.now,
    onAnswered: () => {},
    onAuthenticated: async () => {},
    onRefusedAtDoor: () => {},
    onFault: (error) => process.stderr.write(`${String(error)}\n`),
  };
  const handle = async (postback: Postback<Integration>): Promise<Outcome> => {
    const report = readConversion(postback.json);
    must(!(report instanceof Fault), 'the orders of the benchmark can be read');
    return (await keep(askedOf(parts, report, postback))).told.outcome;
  };
  registerPostbacks(app, door, [{ path: 'conversions', operation: 'conversion', fields: conversionFields, handle }]);
}

function askedOf({ platform, ring }: Parts, report: ConversionReport, postback: Postback<Integration>): Asked {
  const now = platform.clock.now();
  const { storeId } = postback.integration;
  const read = readClickId(report.clickId ?? '', ring.keys());
  must(read.is === 'genuine', 'the clicks of the benchmark are genuine');
  const orderHash = hash('sha256', report.orderId, 'buffer');
  return {
    report,
    postback,
    orderHash,
    click: { ...read, kind: 'referral', isCreatorSuspended: false, backsAnotherOrder: false },
    decide({ click, isKnown }) {
      must(!isKnown, 'the orders of the benchmark are new');
      const fresh = { transactionId: newId<'ord'>(now), commissionId: newId<'com'>(now) };
      const facts: ConversionFacts = { now, storeId, earlier: null, click, wasReversedEarly: false, fresh };
      const decision = decideConversion(report, facts);
      must(decision.do === 'record', 'the orders of the benchmark are good');
      return { ...decision, told: outcomeOfConversion(decision), postback, orderHash, now };
    },
  };
}

/** What a click's link means and pays, read once. */
function rememberedClicks({ platform }: Parts): (asked: Asked) => Promise<ReferralClick> {
  let found: Promise<Pick<ReferralClick, 'programId' | 'creatorId' | 'terms'>> | null = null;
  const read = async ({ click, postback, report }: Asked) => {
    const { storeId } = postback.integration;
    const [link] = await linksByNumber(platform.database, [{ storeId, linkNumber: click.linkNumber }]);
    must(link && report.occurredAt !== 'unreadable', 'the link is there');
    const terms = await termsOfPrograms(platform.database, [link]);
    return { ...link, terms: termsInForce(terms.get(link.programId) ?? [], report.occurredAt) };
  };
  return async (asked) => ({ ...asked.click, ...(await (found ??= read(asked))) });
}
