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
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** A creator's home page: balances, the next payout, and what blocks the rest. */
export function CreatorHome() {
  const id = useCreatorId();
  const creator = useQuery(creatorQuery(id));
  const balance = useQuery(balanceQuery(id));
  const isInNoProgram = useIsEmptyList(membershipsQuery(id));
  if (creator.isPending) return <Page title={t.creator_home.creators_portal} children={<LoadingSkeleton />} />;
  if (creator.isError)
    return (
      <Page title={t.creator_home.creators_portal} children={<ErrorAlert error={creator.error} onRetry={() => void creator.refetch()} />} />
    );
  return (
    <Page title={t.creator_home.hello({ name: creator.data.name })}>
      {creator.data.status === 'suspended' && (
        <Alert variant="outline" color="red" icon={<Icon name="alert" />} mb="md" title={t.creator_home.you_are_suspended}>
          {t.creator_home.nothing_is_paid_out_to}{' '}
          {creator.data.suspension_reason === null ? (
            t.creator_home.ask_the_operator_of_this
          ) : (
            <>{rich(t.creator_home.reason, { b: <strong>{creator.data.suspension_reason}</strong> })}</>
          )}
        </Alert>
      )}
      {isInNoProgram && <JoinFirstProgram />}
      {balance.isPending && <Section title={t.creator_home.money} bare children={<LoadingSkeleton lines={4} />} />}
      <ErrorAlert error={balance.error} onRetry={() => void balance.refetch()} />
      {balance.isSuccess && (
        <>
          <BalanceStats balance={balance.data} />
          <NextPayout balance={balance.data} />
          <RefusedOrdersNote creator={id} />
        </>
      )}
      <Section title={t.creator_home.your_creator_id} intro={t.creator_home.merchants_can_add_you_to}>
        <CopyableValue value={id} label={t.creator_home.your_creator_id_2} />
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
    <Section title={t.creator_home.refused_orders}>
      <p style={{ margin: 0 }}>
        {rich(
          t.creator_home.with_your_clicks_could_not({
            value: isExact ? refused.toLocaleString('en-US') : `More than ${refused.toLocaleString('en-US')}`,
            refused,
            days,
          }),
          { link: <TextLink to="/creator/refused-orders" /> },
        )}
      </p>
    </Section>
  );
}

function BalanceStats({ balance }: { readonly balance: Balance }) {
  const { in_payout_cents: inPayout, held_cents: held } = balance;
  return (
    <Stats>
      <Stat name={t.creator_home.available} value={formatUsd(balance.available_cents)} detail={t.creator_home.paid_by_merchants_yours} />
      {inPayout > 0 && <Stat name={t.creator_home.on_its_way} value={formatUsd(inPayout)} detail={t.creator_home.in_a_payout} />}
      <Stat name={t.creator_home.in_hold} value={formatUsd(balance.in_hold_cents)} detail={t.creator_home.until_refunds_are_no_longer} />
      <Stat
        name={t.creator_home.waiting_for_the_merchant}
        value={formatUsd(balance.waiting_for_merchant_cents)}
        detail={t.creator_home.to_be_approved_billed_or}
      />
      {held > 0 && <Stat name={t.creator_home.held} value={formatUsd(held)} detail={t.creator_home.somebody_looks_into_it} />}
      <Stat name={t.creator_home.paid} value={formatUsd(balance.paid_cents)} detail={t.creator_home.to_you_so_far} />
    </Stats>
  );
}

function NextPayout({ balance: { next_payout: next, blocks } }: { readonly balance: Balance }) {
  return (
    <Section
      title={t.creator_home.next_payout}
      actions={
        <ButtonLink variant="default" size="xs" to="/creator/payouts">
          {t.creator_home.all_payouts}
        </ButtonLink>
      }
    >
      <p className={styles.next}>
        {next.amount_cents > 0 ? t.creator_home.on({ amountCents: next.amount_cents }) : t.creator_home.nothing_yet_for}{' '}
        <Time at={next.at} dateOnly />
      </p>
      <p className={styles.muted} style={{ margin: 0 }}>
        {t.creator_home.payouts_are_on_the_1st({ minimumCents: next.minimum_cents })}
      </p>
      {blocks.length > 0 && (
        <>
          <h3 className={styles.part}>{t.creator_home.what_is_not_in_it}</h3>
          <ul className={styles.blocks}>
            {blocks.map(({ reason, amount_cents: cents, until, message }) => (
              <li key={reason}>
                {cents > 0 && <strong>{formatUsd(cents)}</strong>}
                <span>
                  {message}
                  {until !== null && (
                    <>
                      {t.creator_home.it_ends_on}
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
      return <TextLink to="/creator/settings">{t.creator_home.payout_method}</TextLink>;
    case 'refund_hold':
    case 'waiting_for_merchant':
    case 'held':
    case 'reserve':
      return <TextLink to="/creator/sales">{t.creator_home.see_the_day_of_each}</TextLink>;
    default:
      return null;
  }
}

const JoinFirstProgram = () => (
  <Section title={t.creator_home.begin_here}>
    <EmptyState
      title={t.creator_home.you_are_in_no_program}
      action={
        <ButtonLink variant="default" to="/creator/programs">
          {t.creator_home.see_how_to_join}
        </ButtonLink>
      }
    >
      {t.creator_home.open_the_page_of_a}
    </EmptyState>
  </Section>
);
