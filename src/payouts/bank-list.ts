import { namesOfCreators } from '../creators/creators-sql.ts';
import { destinationBoundTo, openDestination } from '../creators/payout-methods.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { SealedColumn } from '../platform/database/sealed-columns.ts';
import type { CsvColumn } from '../platform/http/csv.ts';
import { publicId } from '../platform/ids.ts';
import type { Money } from '../providers/providers.ts';
import { isToBePaidByHand } from './decide-by-hand.ts';
import { showPayoutInFile } from './payout-json.ts';
import type { Payout } from './payout.ts';
import { isKeptBackNow } from './send.ts';

/** A payout that is paid by hand keeps the destination that it was made with, as its method sealed it. */
export const sealedPayoutDestinations: SealedColumn = {
  table: 'payouts',
  column: 'instrument',
  holds: 'text',
  key: [
    { name: 'creator_id', type: 'uuid' },
    { name: 'payout_id', type: 'uuid' },
  ],
  boundTo: ([creatorId = '']) => destinationBoundTo(creatorId),
};

type Row = ReturnType<typeof showPayoutInFile> & { readonly name: string; readonly destination: string | null };

/** A list of payouts as a file; of those that a person pays by hand with where to. New columns come last: somebody's sheet counts them. */
export const payoutColumns: ReadonlyArray<CsvColumn<Row>> = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'creator_id', cell: ({ creator_id: id }) => id },
  { title: 'creator_name', cell: ({ name }) => name },
  { title: 'destination', cell: ({ destination }) => destination },
  { title: 'amount_cents', cell: ({ amount_cents: cents }) => cents },
  { title: 'currency', cell: () => 'USD' },
  { title: 'state', cell: ({ state }) => state },
  { title: 'provider', cell: ({ provider }) => provider },
  { title: 'made_at', cell: ({ made_at: at }) => at },
  { title: 'sent_at', cell: ({ sent_at: at }) => at },
  { title: 'ended_at', cell: ({ ended_at: at }) => at },
  { title: 'returned_at', cell: ({ returned_at: at }) => at },
  { title: 'reference', cell: ({ reference }) => reference },
  { title: 'failure', cell: ({ failure }) => failure?.message ?? null },
  { title: 'contradicted_at', cell: ({ contradicted_at: at }) => at },
  { title: 'contradiction_decided_at', cell: ({ contradiction_decided_at: at }) => at },
];

/**
 * Where to is opened only for what a person was handed to pay, and can mark: nobody needs the others' accounts, and what is not
 * handed over yet may still be given up.
 */
export async function* rowsOf(db: Queryable, money: Money, pages: AsyncIterable<readonly Payout[]>): AsyncGenerator<readonly Row[]> {
  for await (const payouts of pages) {
    const names = await namesOfCreators(
      db,
      payouts.map(({ creatorId }) => creatorId),
    );
    const rows: Row[] = [];
    for (const payout of payouts) {
      const name = names.get(payout.creatorId) ?? publicId('crt', payout.creatorId);
      rows.push({ ...showPayoutInFile(payout), name, destination: await destinationOf(db, money, payout) });
    }
    yield rows;
  }
}

/** Left out while anything in the payout is kept back: what has no destination is not transferred. */
async function destinationOf(db: Queryable, { platform, providers }: Money, payout: Payout): Promise<string | null> {
  const { creatorId, provider, instrument, state } = payout;
  if (provider === null || instrument === null) return null;
  const ends = providers.payoutProvider(provider)?.ends ?? null;
  if (!isToBePaidByHand({ state, ends }) || (await isKeptBackNow(db, platform, payout))) return null;
  return openDestination(platform.secrets, { creatorId, instrument });
}
