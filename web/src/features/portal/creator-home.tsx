import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Balance } from '../../api/api-schema.ts';
import { formatUsd } from '../../ui/format.ts';
import { CopyableValue } from '../../ui/copy.tsx';
import { Stat, Stats } from '../../ui/stats.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { useIsEmptyList } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { balanceQuery, creatorQuery, membershipsQuery, refusedOrderTotalsQuery, useCreatorId } from './creator-api.ts';
import styles from './creator.module.css';

/** A creator's home page: balances, the next payout, and what blocks the rest. */
export function CreatorHome() {
  const id = useCreatorId();
  const creator = useQuery(creatorQuery(id));
  const balance = useQuery(balanceQuery(id));
  const isInNoProgram = useIsEmptyList(membershipsQuery(id));
  if (creator.isPending) return <Page title="Creator’s portal" children={<LoadingSkeleton />} />;
  if (creator.isError)
    return <Page title="Creator’s portal" children={<ErrorAlert error={creator.error} onRetry={() => void creator.refetch()} />} />;
  return (
    <Page title={`Hello, ${creator.data.name}`}>
      {creator.data.status === 'suspended' && (
        <Alert variant="outline" color="red" icon={<Icon name="alert" />} mb="md" title="You are suspended">
          Nothing is paid out to you at the moment. What you earned stays yours.{' '}
          {creator.data.suspension_reason === null ? (
            'Ask the operator of this service why.'
          ) : (
            <>
              Reason: <strong>{creator.data.suspension_reason}</strong>
            </>
          )}
        </Alert>
      )}
      {isInNoProgram && <JoinFirstProgram />}
      {balance.isPending && <Section title="Money" bare children={<LoadingSkeleton lines={4} />} />}
      <ErrorAlert error={balance.error} onRetry={() => void balance.refetch()} />
      {balance.isSuccess && (
        <>
          <BalanceStats balance={balance.data} />
          <NextPayout balance={balance.data} />
          <RefusedOrdersNote creator={id} />
        </>
      )}
      <Section title="Your creator ID" intro="Merchants can add you to their programs with it. It is no secret, and opens nothing.">
        <CopyableValue value={id} label="your creator ID" />
      </Section>
    </Page>
  );
}

/** Shown only when orders were refused recently. */
function RefusedOrdersNote({ creator }: { readonly creator: string }) {
  const totals = useQuery(refusedOrderTotalsQuery(creator));
  if (!totals.isSuccess || totals.data.refused === 0) return null;
  const { refused, days, is_exact: isExact } = totals.data;
  return (
    <Section title="Refused orders">
      <p style={{ margin: 0 }}>
        {isExact ? refused.toLocaleString('en-US') : `More than ${refused.toLocaleString('en-US')}`} {refused === 1 ? 'order' : 'orders'}{' '}
        with your clicks could not count in the last {days} days. <TextLink to="/creator/refused-orders">See why</TextLink>
      </p>
    </Section>
  );
}

function BalanceStats({ balance }: { readonly balance: Balance }) {
  const { in_payout_cents: inPayout, held_cents: held } = balance;
  return (
    <Stats>
      <Stat name="Available" value={formatUsd(balance.available_cents)} detail="paid by merchants, yours" />
      {inPayout > 0 && <Stat name="On its way" value={formatUsd(inPayout)} detail="in a payout" />}
      <Stat name="In hold" value={formatUsd(balance.in_hold_cents)} detail="until refunds are no longer expected" />
      <Stat name="Waiting for the merchant" value={formatUsd(balance.waiting_for_merchant_cents)} detail="to be approved, billed or paid" />
      {held > 0 && <Stat name="Held" value={formatUsd(held)} detail="somebody looks into it" />}
      <Stat name="Paid" value={formatUsd(balance.paid_cents)} detail="to you so far" />
    </Stats>
  );
}

function NextPayout({ balance: { next_payout: next, blocks } }: { readonly balance: Balance }) {
  return (
    <Section
      title="Next payout"
      actions={
        <ButtonLink variant="default" size="xs" to="/creator/payouts">
          All payouts
        </ButtonLink>
      }
    >
      <p className={styles.next}>
        {next.amount_cents > 0 ? `${formatUsd(next.amount_cents)} on` : 'Nothing yet for'} <Time at={next.at} dateOnly />
      </p>
      <p className={styles.muted} style={{ margin: 0 }}>
        Payouts are on the 1st and the 15th, of what merchants have paid; the next one from {formatUsd(next.minimum_cents)}.
      </p>
      {blocks.length > 0 && (
        <>
          <h3 className={styles.part}>What is not in it yet</h3>
          <ul className={styles.blocks}>
            {blocks.map(({ reason, amount_cents: cents, until, message }) => (
              <li key={reason}>
                {cents > 0 && <strong>{formatUsd(cents)}</strong>}
                <span>
                  {message}
                  {until !== null && (
                    <>
                      {' It ends on '}
                      <Time at={until} dateOnly />.
                    </>
                  )}{' '}
                  <BlockLink reason={reason} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** A link to the next step for a block. */
function BlockLink({ reason }: { readonly reason: string }) {
  switch (reason) {
    case 'no_method':
    case 'came_back':
    case 'cool_down':
      return <TextLink to="/creator/settings">Payout method</TextLink>;
    case 'refund_hold':
    case 'waiting_for_merchant':
    case 'held':
    case 'reserve':
      return <TextLink to="/creator/sales">See the day of each sale</TextLink>;
    default:
      return null;
  }
}

const JoinFirstProgram = () => (
  <Section title="Begin here">
    <EmptyState
      title="You are in no program yet"
      action={
        <ButtonLink variant="default" to="/creator/programs">
          See how to join
        </ButtonLink>
      }
    >
      Open the page of a program that a merchant gave you, and apply. Or give your creator ID to a merchant, who adds you.
    </EmptyState>
  </Section>
);
