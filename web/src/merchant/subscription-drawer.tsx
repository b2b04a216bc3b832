import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { dollarsOf, percentOf } from '../parts/amounts.ts';
import { CopyIcon } from '../parts/copy.tsx';
import { countOf } from '../parts/count-of.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Drawer, DrawerPart, RawJson } from '../parts/drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { readingInPages, refresh } from '../parts/reading.ts';
import { ShowMore } from '../parts/show-more.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useMay } from '../people/may.ts';
import { EarnsChip, SubscriptionChips } from './subscription-chips.tsx';
import {
  productWords,
  subscriptionsPath,
  type Rule,
  type Subscription,
  type SubscriptionInvoice,
  type SubscriptionWithInvoices,
} from './subscriptions-api.ts';
import styles from './subscriptions.module.css';

const invoicesPerPage = 24;

type SubscriptionDrawerProps = { readonly store: string; readonly id: string | undefined; readonly close: () => void };

/** A subscription with all its invoices, and the decision where one is open. */
export function SubscriptionDrawer({ store, id, close }: SubscriptionDrawerProps) {
  const mayReview = useMay(store)('commissions:review');
  const path = `${subscriptionsPath(store)}/${id}`;
  const found = useInfiniteQuery({
    ...readingInPages<SubscriptionWithInvoices>({ path, limit: invoicesPerPage, next: (page) => page.next_cursor }),
    enabled: id !== undefined,
  });
  const subscription = found.data?.pages[0];
  return (
    <Drawer title={subscription?.relationship_id ?? 'Subscription'} opened={id !== undefined} onClose={close}>
      {found.isPending && <Waiting />}
      {found.isError && !found.isFetchNextPageError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {subscription !== undefined && (
        <>
          {subscription.held !== null && <Review store={store} subscription={subscription} mayReview={mayReview} />}
          <What subscription={subscription} />
          <DrawerPart title="Invoices">
            <Invoices store={store} invoices={found.data?.pages.flatMap(({ invoices }) => invoices) ?? []} />
            {found.hasNextPage && <ShowMore of={found} />}
          </DrawerPart>
          <RawJson value={subscription} />
        </>
      )}
    </Drawer>
  );
}

function What({ subscription }: { readonly subscription: Subscription }) {
  const {
    creator_name: creator,
    bound_at: bound,
    earned_cents: earned,
    paid_invoices: paid,
    rule,
    ended_at: ended,
    end_reason: reason,
  } = subscription;
  return (
    <Facts
      facts={[
        ['State', <SubscriptionChips key="s" subscription={subscription} />],
        ['Creator', creator],
        ['Product', productWords(subscription)],
        ['Bound', <Time key="b" at={bound} />],
        ['Earns', rule === null ? 'nothing: no rule fitted the product' : ruleWords(rule)],
        [
          'Paid invoices',
          `${paid}${rule?.max_invoices ? `, of which ${subscription.earning_invoices} of at most ${rule.max_invoices} earned` : ''}`,
        ],
        ['Earned so far', <strong key="e">{dollarsOf(earned)} USD</strong>],
        ...(ended === null ? [] : [['Ended', <Ended key="x" at={ended} reason={reason} />] as const]),
        [
          'ID',
          <span key="i" className={styles.copied}>
            <span className="mono">{subscription.id}</span>
            <CopyIcon value={subscription.id} label="the subscription’s ID" />
          </span>,
        ],
      ]}
    />
  );
}

const Ended = ({ at, reason }: { readonly at: string; readonly reason: string | null }) => (
  <>
    <Time at={at} />
    {reason !== null && `: ${reason}`}
  </>
);

function ruleWords({
  basis_points: points,
  flat_cents: flat,
  max_invoices: invoices,
  max_months: months,
  terms_version: version,
}: Rule): string {
  const rate = points === null ? `${dollarsOf(flat ?? 0)} USD an invoice` : `${percentOf(points)} of each invoice`;
  const limits = [...(invoices === null ? [] : [countOf(invoices, 'invoice')]), ...(months === null ? [] : [countOf(months, 'month')])];
  return `${rate}${limits.length === 0 ? '' : `, at most ${limits.join(' and ')}`} (terms version ${version})`;
}

function Invoices({ store, invoices }: { readonly store: string; readonly invoices: readonly SubscriptionInvoice[] }) {
  if (invoices.length === 0) return <p>None was reported yet. Each one appears here as your server reports it.</p>;
  return (
    <ul className={styles.invoices}>
      {invoices.map((invoice) => (
        <li key={invoice.id} className={styles.invoice}>
          <span className={styles.name}>
            {invoice.commission_id === null ? (
              invoice.invoice_id
            ) : (
              <TextLink to="/stores/$store/conversions" params={{ store }} search={{ open: invoice.commission_id }}>
                {invoice.invoice_id}
              </TextLink>
            )}
            <span className={styles.when}>
              <Time at={invoice.paid_at ?? invoice.first_recorded_at} dateOnly />
            </span>
          </span>
          <span className="number">{invoice.amount_paid_cents === null ? '–' : `${dollarsOf(invoice.amount_paid_cents)} USD`}</span>
          <EarnsChip invoice={invoice} />
        </li>
      ))}
    </ul>
  );
}

type ReviewProps = { readonly store: string; readonly subscription: Subscription; readonly mayReview: boolean };

function Review({ store, subscription, mayReview }: ReviewProps) {
  const client = useQueryClient();
  const { held } = subscription;
  if (held === null) return null;
  const decide = (decision: 'accept' | 'decline') => async () => {
    await api.post(`${subscriptionsPath(store)}/${subscription.id}/review`, { decision });
    await refresh(client, subscriptionsPath(store), `/stores/${store}/commissions`);
  };
  const billed = productWords(held);
  return (
    <div className={styles.review}>
      <p>
        <strong>This waits for a decision.</strong> Bound was {productWords(subscription)}, billed was {billed}, since{' '}
        <Time at={held.since} />. What is paid meanwhile earns nothing yet.
      </p>
      {mayReview ? (
        <div className={styles.buttons}>
          <ConfirmButton label="Accept" title="Accept what was billed?" confirm="Accept" run={decide('accept')}>
            <p>From now on {billed} is what is bound. The invoices that wait earn by the rule of this subscription, in their order.</p>
          </ConfirmButton>
          <ConfirmButton label="Decline" title="Decline what was billed?" confirm="Decline" danger run={decide('decline')}>
            <p>The invoices that wait earn nothing. What was bound stays bound, and the next invoice for it earns again.</p>
          </ConfirmButton>
        </div>
      ) : (
        <p>Somebody whose role may decide on commissions accepts or declines it.</p>
      )}
    </div>
  );
}
