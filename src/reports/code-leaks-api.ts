import { Type as T } from 'typebox';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { dayOf, plusDays } from '../core/time.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { namedObject } from '../http/fields.ts';
import { lastPage } from '../http/page.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { listUsedCodes } from './code-leaks-sql.ts';
import { decideCodeLeak, leakClicksPerOrder, leakGrowthTimes, leakOrdersMin, leakSignals } from './decide-code-leak.ts';
import { startOfUtcDay } from './day-range.ts';
import { listMemberTotals } from './store-creators-sql.ts';

const daysDefault = 30;
/** The codes with the most orders are compared. */
const codesMax = 200;

const leakJson = namedObject('CodeLeak', {
  code_id: T.String(),
  code: T.String(),
  paused: T.Boolean(),
  program_id: T.String(),
  program_name: T.String(),
  creator_id: T.String(),
  creator_name: T.String(),
  orders: T.Integer({ description: 'The orders that the code earned in the period, with later orders of customers that it brought' }),
  orders_before: T.Integer({ description: 'The same for the period of the same length before' }),
  owner_clicks: T.Integer({ description: "Clicks of people on the owner's links in the period; 0: the audience is unknown" }),
  suspicion: T.Enum(['possible', 'likely'], { title: 'LeakSuspicion', description: '`likely` has both signals' }),
  signals: T.Array(
    T.Enum([...leakSignals], {
      title: 'LeakSignal',
      description: `beyond_audience: more than one order for ${leakClicksPerOrder} clicks; sudden_growth: ${leakGrowthTimes} times the orders of the period before`,
    }),
  ),
});

export const codeLeaksEndpoint = endpoint({
  summary: "List discount codes that are used far more than their owner's audience, and may have leaked",
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object(
    { days: T.Optional(T.Integer({ minimum: 7, maximum: 90, description: `The days up to today; ${daysDefault} by default` })) },
    { additionalProperties: false },
  ),
  reply: namedObject('CodeLeaks', {
    from: T.String(),
    to: T.String(),
    data: T.Array(leakJson, {
      description: `Of the ${codesMax} codes with the most orders; a code with fewer than ${leakOrdersMin} orders is not listed`,
    }),
    next_cursor: lastPage,
  }),
  async handle({ db, ids, query: { days = daysDefault }, now }) {
    const to = dayOf(now);
    const dayBefore = (count: number): string => dayOf(plusDays(startOfUtcDay(to), -count));
    const range = { from: dayBefore(days - 1), to };
    const before = { from: dayBefore(2 * days - 1), to: dayBefore(days) };
    const codes = await listUsedCodes(db, { storeId: ids.store, range, before, ordersMin: leakOrdersMin, most: codesMax });
    const clicks = await listMemberTotals(
      db,
      ids.store,
      codes.map(({ memberId }) => memberId),
      range,
    );
    const clicksOf = new Map(clicks.map((of) => [of.memberId, Number(of.clicks)]));
    const names = await creatorNames(
      db,
      codes.map(({ creatorId }) => creatorId),
    );
    const programs = await programsByName(db, codes);
    const data = codes.flatMap((code) => {
      const [name, program] = [names.get(code.creatorId), programs.get(code.programId)];
      invariant(name !== undefined && program !== undefined, 'creators and programs are never deleted');
      const [orders, ordersBefore, ownerClicks] = [Number(code.orders), Number(code.ordersBefore), clicksOf.get(code.memberId) ?? 0];
      const isNew = code.createdAt >= startOfUtcDay(before.from);
      const { suspicion, signals } = decideCodeLeak({ orders, ordersBefore: isNew ? null : ordersBefore, ownerClicks });
      if (suspicion === 'none') return [];
      return [
        {
          code_id: publicId('code', code.codeId),
          code: code.code,
          paused: code.isPaused,
          program_id: publicId('prog', code.programId),
          program_name: program.name,
          creator_id: publicId('crt', code.creatorId),
          creator_name: name,
          orders,
          orders_before: ordersBefore,
          owner_clicks: ownerClicks,
          suspicion,
          signals: [...signals],
        },
      ];
    });
    return { ...range, data, next_cursor: null };
  },
});
