import { Alert } from '../../ui/alert.tsx';
import { useQuery } from '@tanstack/react-query';
import type { Balance } from '../../../../sdk/src/api-schema.ts';
import { formatUsd } from '../../ui/format.ts';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import { CopyableValue } from '../../ui/copy.tsx';
import { Stat, Stats } from '../../ui/stats.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { useIsEmptyList } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { balanceQuery, creatorQuery, membershipsQuery, refusedOrderTotalsQuery, useCreatorId } from './creator-api.ts';
import { CreatorResults } from './creator-results.tsx';
import styles from './creator.module.css';
import { FirstSteps } from './first-steps.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** A creator's home page: balances, the next payout, and what blocks the rest. */
export function CreatorHome() {
  const id = useCreatorId();
  const creator = useQuery(creatorQuery(id));
  const balance = useQuery(balanceQuery(id));
  const isInNoProgram = useIsEmptyList(membershipsQuery(id));
  if (creator.isPending) return <Page title={t.creator_home.creator_portal} children={<LoadingSkeleton />} />;
  if (creator.isError)
    return (
      <Page title={t.creator_home.creator_portal} children={<ErrorAlert error={creator.error} onRetry={() => void creator.refetch()} />} />
    );
  return (
    <Page title={t.creator_home.hello({ name: creator.data.name })}>
      {creator.data.status === 'suspended' && (
        <Alert color="red" title={t.creator_home.your_account_is_suspended}>
          {t.creator_home.payouts_are_paused_you_keep}{' '}
          {creator.data.suspension_reason === null ? (
            t.creator_home.contact_the_operator_of_this
          ) : (
            <>{rich(t.creator_home.reason, { b: <strong>{creator.data.suspension_reason}</strong> })}</>
          )}
        </Alert>
      )}
      <FirstSteps creator={id} />
      {balance.isPending && <Section title={t.creator_home.balance} bare children={<LoadingSkeleton lines={4} />} />}
      <ErrorAlert error={balance.error} onRetry={() => void balance.refetch()} />
      {balance.isSuccess && (
        <>
          <BalanceStats balance={balance.data} />
          <NextPayout balance={balance.data} />
          <RefusedOrdersNote creator={id} />
        </>
      )}
      {!isInNoProgram && <CreatorResults creator={id} />}
      <Section title={t.creator_home.your_creator_id} intro={t.creator_home.share_this_id_with_merchants}>
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
    <Section title={t.creator_home.ineligible_orders}>
      <p style={{ margin: 0 }}>
        {rich(
          isExact
            ? t.creator_home.orders_from_your_links_werent({ refused, days })
            : t.creator_home.more_than_orders_from_your({ refused, days }),
          {
            link: <TextLink to="/creator/refused-orders" />,
          },
        )}
      </p>
    </Section>
  );
}

function BalanceStats({ balance }: { readonly balance: Balance }) {
  const { in_payout_cents: inPayout, held_cents: held } = balance;
  return (
    <Stats>
      <Stat name={t.creator_home.available} value={formatUsd(balance.available_cents)} detail={t.creator_home.ready_for_your_next_payout} />
      {inPayout > 0 && <Stat name={t.creator_home.in_transit} value={formatUsd(inPayout)} detail={t.creator_home.included_in_a_payout} />}
      <Stat
        name={t.creator_home.refund_hold}
        value={formatUsd(balance.in_hold_cents)}
        detail={t.creator_home.orders_can_still_be_returned}
      />
      <Stat
        name={t.creator_home.pending}
        value={formatUsd(balance.waiting_for_merchant_cents)}
        detail={t.creator_home.waiting_for_merchant_approval_or}
      />
      {held > 0 && <Stat name={t.creator_home.on_hold} value={formatUsd(held)} detail={t.creator_home.under_review} />}
      <Stat name={t.creator_home.paid_out} value={formatUsd(balance.paid_cents)} detail={t.creator_home.total_to_date} />
    </Stats>
  );
}

function NextPayout({ balance: { next_payout: next, blocks } }: { readonly balance: Balance }) {
  return (
    <Section
      title={t.creator_home.next_payout}
      actions={
        <ButtonLink variant="default" size="xs" to="/creator/payouts">
          {t.creator_home.view_payouts}
        </ButtonLink>
      }
    >
      <p className={styles.next}>
        {rich(next.amount_cents > 0 ? t.creator_home.on({ amountCents: next.amount_cents }) : t.creator_home.nothing_scheduled_for, {
          day: <Time at={next.at} dateOnly />,
        })}
      </p>
      <p className={styles.muted} style={{ margin: 0 }}>
        {t.creator_home.we_pay_out_on_the({ minimumCents: next.minimum_cents })}
      </p>
      {blocks.length > 0 && (
        <>
          <h3 className={styles.part}>{t.creator_home.not_included_yet}</h3>
          <ul className={styles.blocks}>
            {blocks.map(({ reason, amount_cents: cents, until }) => (
              <li key={reason}>
                {cents > 0 && <strong>{formatUsd(cents)}</strong>}
                <span>
                  {blockText(reason, next.minimum_cents)}{' '}
                  {until !== null && rich(t.creator_home.ends_on, { day: <Time at={until} dateOnly /> })} <BlockLink reason={reason} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function blockText(reason: Balance['blocks'][number]['reason'], minimumCents: Cents): string {
  switch (reason) {
    case 'suspended':
      return t.payout_blocks.your_account_is_suspended;
    case 'under_review':
      return t.payout_blocks.your_payouts_are_under_review;
    case 'unfinished_payout':
      return t.payout_blocks.another_payout_is_in_progress;
    case 'no_method':
      return t.payout_blocks.add_a_payout_method_to;
    case 'came_back':
      return t.payout_blocks.your_bank_returned_the_last;
    case 'cool_down':
      return t.payout_blocks.you_recently_changed_your_payout;
    case 'under_minimum':
      return t.payout_blocks.your_balance_is_below_the({ minimumCents });
    case 'held':
      return t.payout_blocks.these_sales_are_under_review;
    case 'reserve':
      return t.payout_blocks.first_payments_from_a_new;
    case 'refund_hold':
      return t.payout_blocks.these_sales_are_in_their_refund_hold;
    case 'waiting_for_merchant':
      return t.payout_blocks.the_merchant_hasnt_approved_or;
  }
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
      return <TextLink to="/creator/sales">{t.creator_home.view_sales}</TextLink>;
    default:
      return null;
  }
}
