import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api } from '../api.ts';
import { balanceReading, creatorReading, type Balance, type Creator } from '../creator/creator-api.ts';
import { payoutsPath, type Payout } from '../creator/payouts-api.ts';
import { dollarsOf, usd } from '../parts/amounts.ts';
import { CopyIcon } from '../parts/copy.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Figure, Figures } from '../parts/figures.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { listing } from '../parts/reading.ts';
import { PagedTable, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { beginViewing } from '../shell/viewing.ts';
import { CreatorChanges, CreatorChip } from './creators.tsx';
import styles from './operator.module.css';
import { OperatorsPayoutChip } from './payout-words.tsx';

/** A creator as an operator sees one: where the money is, what was paid, and whether it may be. */
export function OperatorsCreator() {
  const { person: id } = useParams({ from: '/inside/operator/creators/$person' });
  const creator = useQuery(creatorReading(id));
  const balance = useQuery(balanceReading(id));
  const above = <TextLink to="/operator/creators">Creators</TextLink>;
  if (creator.isPending) return <Page title="Creator" above={above} children={<Waiting />} />;
  if (creator.isError)
    return <Page title="Creator" above={above} children={<ProblemNote problem={creator.error} onRetry={() => void creator.refetch()} />} />;
  return (
    <Page title={creator.data.name} above={above} actions={<View creator={creator.data} />}>
      <Section
        title="How they stand"
        actions={
          <div className={styles.buttons}>
            <CreatorChanges creator={creator.data} />
          </div>
        }
      >
        <Standing creator={creator.data} />
      </Section>
      {balance.isPending && <Waiting />}
      {balance.isError && <ProblemNote problem={balance.error} onRetry={() => void balance.refetch()} />}
      {balance.isSuccess && <Money balance={balance.data} />}
      <Suspensions creator={id} />
      <Section title="Payouts" flush>
        <PagedTable
          caption="Payouts"
          list={listing<Payout>(payoutsPath(id))}
          keyOf={({ id: payout }) => payout}
          columns={columns}
          empty={<Empty title="No payout yet">The first one comes when a store has paid for their sales and they reach the minimum.</Empty>}
        />
      </Section>
    </Page>
  );
}

type Suspension = {
  readonly id: string;
  readonly reason: string | null;
  readonly note: string | null;
  readonly suspended_at: string;
  readonly suspended_by_name: string;
  readonly ended_at: string | null;
  readonly ended_by_name: string | null;
};

function Suspensions({ creator }: { readonly creator: string }) {
  return (
    <Section title="Suspensions" intro="The creator reads the reason. The note is for operators." flush>
      <PagedTable
        caption="Suspensions"
        list={listing<Suspension>(`/creators/${creator}/suspensions`)}
        keyOf={({ id }) => id}
        columns={suspensionColumns}
        empty={<Empty title="Never suspended">Each suspension is listed here, with its reason and who decided it.</Empty>}
      />
    </Section>
  );
}

const suspensionColumns: ReadonlyArray<Column<Suspension>> = [
  { title: 'Suspended', cell: ({ suspended_at: at }) => <Time at={at} /> },
  { title: 'By', cell: ({ suspended_by_name: name }) => name },
  { title: 'Reason', cell: ({ reason }) => reason ?? 'none given' },
  { title: 'Note', cell: ({ note }) => note ?? 'none' },
  {
    title: 'Ended',
    cell: ({ ended_at: at, ended_by_name: by }) =>
      at === null ? (
        'not yet'
      ) : (
        <>
          <Time at={at} /> by {by}
        </>
      ),
  },
];

function View({ creator: { id, name } }: { readonly creator: Creator }) {
  const view = async () => {
    await api.post(`/creators/${id}/view`);
    beginViewing({ is: 'creator', id, name });
  };
  return (
    <ConfirmButton label="View as the creator" size="sm" title={`View the portal as ${name} does?`} confirm="View it" run={view}>
      <p>You see what they see, and can change nothing. The audit log says that you looked.</p>
    </ConfirmButton>
  );
}

function Standing({ creator }: { readonly creator: Creator }) {
  const { payout_method: method, payout_minimum_cents: minimum } = creator;
  return (
    <Facts
      facts={[
        ['State', <CreatorChip key="s" status={creator.status} />],
        ...(creator.status === 'suspended' ? [['Reason', creator.suspension_reason ?? 'none given'] as const] : []),
        ['E-mail', creator.email],
        [
          'Creator ID',
          <span key="id">
            <span className="mono">{creator.id}</span> <CopyIcon value={creator.id} label={`the ID of ${creator.name}`} />
          </span>,
        ],
        ['Is paid by', method === null ? 'nothing yet' : `${method.provider}${method.last4 === null ? '' : `, …${method.last4}`}`],
        ['Own minimum', minimum === null ? 'none' : usd(minimum)],
        ['Created', <Time key="c" at={creator.created_at} />],
      ]}
    />
  );
}

function Money({ balance: { next_payout: next, blocks, ...sums } }: { readonly balance: Balance }) {
  return (
    <>
      <Figures label="Money">
        <Figure name="Available" value={usd(sums.available_cents)} about="paid by stores, free" />
        <Figure name="In a payout" value={usd(sums.in_payout_cents)} about="on its way" />
        <Figure name="In hold" value={usd(sums.in_hold_cents)} about="refunds may still come" />
        <Figure name="Waiting" value={usd(sums.waiting_for_merchant_cents)} about="for stores to approve or pay" />
        <Figure name="Held" value={usd(sums.held_cents)} about="somebody looks into it" />
        <Figure name="Paid" value={usd(sums.paid_cents)} about="so far" />
      </Figures>
      <Section title="Next payout" intro="And what is not in it, in the words that the creator reads.">
        <p className={styles.sum}>
          {next.amount_cents > 0 ? `${usd(next.amount_cents)} on` : 'Nothing yet for'} <Time at={next.at} dateOnly />
        </p>
        {blocks.length > 0 && (
          <ul className={styles.look}>
            {blocks.map(({ reason, amount_cents: cents, message }) => (
              <li key={reason}>
                {cents > 0 && <strong>{usd(cents)}</strong>}
                <span className={styles.quiet}>{message}</span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

const columns: ReadonlyArray<Column<Payout>> = [
  { title: 'Made', cell: ({ made_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  { title: 'State', cell: ({ state, provider }) => <OperatorsPayoutChip state={state} provider={provider} /> },
  {
    title: 'Reference or failure',
    cell: ({ reference, failure }) => failure?.message ?? (reference === null ? 'none yet' : <span className="mono">{reference}</span>),
  },
];
