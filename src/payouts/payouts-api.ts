import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { englishToCreators } from '../contract/speech.ts';
import { speechToCreators } from '../contract/speech-to-creators.ts';
import { hashAddress } from '../people/address-hash.ts';
import { recordAuditEntry } from '../people/audit.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound } from '../http/responses.ts';
import { csvDownload, readAllPages, rejectPaging } from '../http/csv.ts';
import { centsField, namedObject, orNull } from '../http/fields.ts';
import { chooseType } from '../http/content-negotiation.ts';
import { keyOf, orderOf } from '../db/list-order.ts';
import { pageFields, pageOf, pageQuery, pageReply, readPage, readSortedPage, sortedPosition, sortField, uuidShape } from '../http/page.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Providers } from '../payments/providers.ts';
import { payoutColumns, rowsOf } from './manual-payouts-api.ts';
import { creatorsColumns, lineColumns, createLinePresenter } from './payout-lines.ts';
import { listPayouts, findPayout, listPayoutLines, type PayoutLine, findPayoutsOfCreator, payoutSorts } from './payouts-sql.ts';
import {
  operatorsPayoutJson,
  payoutFields,
  payoutJson,
  providerField,
  showPayout,
  showPayoutToOperator,
  stateField,
} from './payout-json.ts';
import type { Payout } from './payout.ts';

const linePositionOf = ({ storeId, commissionId }: PayoutLine) => [storeId, commissionId];

const wantsCsv = ({ accept }: { readonly accept: string }): boolean => chooseType(accept, ['application/json', 'text/csv']) === 'text/csv';

export const listAllPayouts = (providers: Providers) =>
  endpoint({
    summary: 'List the payouts of all creators, newest first; as a file with Accept: text/csv, with the accounts for manual payouts',
    access: { allow: 'operator' },
    proof: wantsCsv,
    query: T.Object(
      { ...pageFields, state: T.Optional(stateField), provider: T.Optional(providerField), ...sortField(payoutSorts) },
      { additionalProperties: false },
    ),
    files: ['text/csv'],
    reply: pageOf(operatorsPayoutJson),
    async handle({ platform, db, identity, query, request, now }) {
      const filter = { state: query.state ?? null, provider: query.provider ?? null };
      if (wantsCsv(request)) {
        const refused = rejectPaging(query);
        if (refused !== null) return refused;
        // The file contains account numbers, so the audit log records who exported it.
        const [actor, addressHash] = [identity.actor, hashAddress(platform.secrets, request.address)];
        const about = { storeId: null, creatorId: null, subject: '/api/v1/payouts', requestId: request.id, addressHash };
        await recordAuditEntry(db, { at: now, actor, actorName: identity.name, action: 'payouts.download', details: filter, ...about });
        const order = orderOf(payoutSorts, query.sort);
        const pages = readAllPages(
          (page) => listPayouts(db, filter, { ...page, order }),
          (payout: Payout) => keyOf(order, payout),
        );
        return csvDownload('payouts.csv', payoutColumns, rowsOf(db, { platform, providers }, pages));
      }
      const page = readSortedPage(query, payoutSorts);
      if (isRefusal(page)) return page;
      const found = await listPayouts(db, filter, page);
      const shownById = new Map<Payout, Static<typeof operatorsPayoutJson>>();
      for (const payout of found) shownById.set(payout, await showPayoutToOperator({ db, platform, identity }, payout));
      const shownOf = (payout: Payout) => {
        const json = shownById.get(payout);
        invariant(json, 'each payout of the page was rendered');
        return json;
      };
      return pageReply(found, page, shownOf, (payout) => sortedPosition(payoutSorts, page.order, payout));
    },
  });

const access = { allow: 'creator', permission: 'creator:read' } as const;

export const listPayoutsOfCreator = sortedListEndpoint({
  summary: "List a creator's payouts, newest first; as a file with Accept: text/csv",
  access,
  query: T.Object({ ...pageFields, ...sortField(payoutSorts) }, { additionalProperties: false }),
  item: payoutJson,
  readFilter: () => null,
  rows: ({ db, ids }, page) => findPayoutsOfCreator(db, ids.creator, page),
  renderer: () => showPayout,
  sorts: payoutSorts,
  csv: { name: 'payouts.csv', columns: creatorsColumns },
});

const lineJson = namedObject('PayoutLine', {
  commission_id: T.String(),
  store_id: T.String(),
  store_name: T.String(),
  order_id: orNull(T.String()),
  invoice_id: orNull(T.String()),
  lead_id: orNull(T.String()),
  occurred_at: T.String(),
  amount_cents: centsField(),
  bonus_reason: orNull(T.String({ description: 'Only of a bonus, which has no order' })),
});

export const getPayoutOfCreator = endpoint({
  summary: 'Get a payout with its lines; all lines as a file with Accept: text/csv',
  access,
  ids: { payout: 'pay' },
  query: pageQuery,
  files: ['text/csv'],
  reply: namedObject('PayoutDetails', { ...payoutFields, lines: pageOf(lineJson) }),
  async handle({ db, ids, query, request }) {
    const payout = await findPayout(db, { creatorId: ids.creator, payoutId: ids.payout });
    if (payout === null) return notFound;
    if (wantsCsv(request)) {
      const pages = readAllPages((page) => listPayoutLines(db, payout, page), linePositionOf);
      return rejectPaging(query) ?? csvDownload(`${publicId('pay', ids.payout)}.csv`, lineColumns, shownLines(pages));
    }
    const page = readPage(query, [uuidShape, uuidShape]);
    if (isRefusal(page)) return page;
    const lines = await listPayoutLines(db, payout, page);
    return {
      ...showPayout(payout),
      lines: pageReply(lines, page, await createLinePresenter(db, lines, speechToCreators(request.language)), linePositionOf),
    };

    async function* shownLines(parts: AsyncIterable<readonly PayoutLine[]>) {
      for await (const part of parts) yield part.map(await createLinePresenter(db, part, englishToCreators));
    }
  },
});
