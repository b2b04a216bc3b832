import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { SubscriptionTerms, Subscription, SubscriptionInvoice, SubscriptionDetails } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars, formatPercent, formatCount } from '../../ui/format.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Drawer, DrawerSection, RawJson } from '../../ui/drawer.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextLink } from '../../ui/links.tsx';
import { apiPagedQuery, noId, refresh } from '../../ui/queries.ts';
import { ShowMore } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { InvoiceEarningsChip, SubscriptionStatusChips } from './subscription-status-chips.tsx';
import { productText, subscriptionsPath } from './subscriptions-api.ts';
import styles from './subscriptions.module.css';

const invoicesPerPage = 24;

type SubscriptionDrawerProps = { readonly store: string; readonly id: string | undefined; readonly close: () => void };

/** A subscription with its invoices and its open decision. */
export function SubscriptionDrawer({ store, id, close }: SubscriptionDrawerProps) {
  const mayReview = usePermission(store)('commissions:review');
  const path = apiPath('/stores/{store}/relationships/{relationship}', { store, relationship: id ?? noId });
  const found = useInfiniteQuery({
    ...apiPagedQuery({ path, limit: invoicesPerPage, next: (page) => page.next_cursor }),
    enabled: id !== undefined,
  });
  const subscription = found.data?.pages[0];
  return (
    <Drawer title={subscription?.relationship_id ?? 'Subscription'} opened={id !== undefined} onClose={close}>
      <QueryView query={found} />
      {subscription !== undefined && (
        <>
          {subscription.held !== null && <ReviewSection store={store} subscription={subscription} mayReview={mayReview} />}
          <SubscriptionDetails subscription={subscription} />
          <DrawerSection title="Invoices">
            <InvoiceList store={store} invoices={found.data?.pages.flatMap(({ invoices }) => invoices) ?? []} />
            {found.hasNextPage && <ShowMore list={found} />}
          </DrawerSection>
          <RawJson value={subscription} />
        </>
      )}
    </Drawer>
  );
}

function SubscriptionDetails({ subscription }: { readonly subscription: Subscription }) {
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
    <DescriptionList
      items={[
        ['State', <SubscriptionStatusChips key="s" subscription={subscription} />],
        ['Creator', creator],
        ['Product', productText(subscription)],
        ['Bound', <Time key="b" at={bound} />],
        ['Earns', rule === null ? 'nothing: no rule fitted the product' : ruleText(rule)],
        [
          'Paid invoices',
          `${paid}${rule?.max_invoices ? `, of which ${subscription.earning_invoices} of at most ${rule.max_invoices} earned` : ''}`,
        ],
        ['Earned so far', <strong key="e">{formatDollars(earned)} USD</strong>],
        ...(ended === null ? [] : [['Ended', <EndText key="x" at={ended} reason={reason} />] as const]),
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

const EndText = ({ at, reason }: { readonly at: string; readonly reason: string | null }) => (
  <>
    <Time at={at} />
    {reason !== null && `: ${reason}`}
  </>
);

function ruleText({
  basis_points: points,
  flat_cents: flat,
  max_invoices: invoices,
  max_months: months,
  terms_version: version,
}: SubscriptionTerms): string {
  const rate = points === null ? `${formatDollars(flat ?? 0)} USD an invoice` : `${formatPercent(points)} of each invoice`;
  const limits = [
    ...(invoices === null ? [] : [formatCount(invoices, 'invoice')]),
    ...(months === null ? [] : [formatCount(months, 'month')]),
  ];
  return `${rate}${limits.length === 0 ? '' : `, at most ${limits.join(' and ')}`} (terms version ${version})`;
}

function InvoiceList({ store, invoices }: { readonly store: string; readonly invoices: readonly SubscriptionInvoice[] }) {
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
          <span className="number">{invoice.amount_paid_cents === null ? '–' : `${formatDollars(invoice.amount_paid_cents)} USD`}</span>
          <InvoiceEarningsChip invoice={invoice} />
        </li>
      ))}
    </ul>
  );
}

type ReviewSectionProps = { readonly store: string; readonly subscription: Subscription; readonly mayReview: boolean };

function ReviewSection({ store, subscription, mayReview }: ReviewSectionProps) {
  const client = useQueryClient();
  const { held } = subscription;
  if (held === null) return null;
  const decide = (decision: 'accept' | 'decline') => async () => {
    await api.post(apiPath('/stores/{store}/relationships/{relationship}/review', { store, relationship: subscription.id }), { decision });
    await refresh(client, subscriptionsPath(store), apiPath('/stores/{store}/commissions', { store }));
  };
  const billedProduct = productText(held);
  return (
    <div className={styles.review}>
      <p>
        <strong>This waits for a decision.</strong> Bound was {productText(subscription)}, billed was {billedProduct}, since{' '}
        <Time at={held.since} />. What is paid meanwhile earns nothing yet.
      </p>
      {mayReview ? (
        <div className={styles.buttons}>
          <ConfirmButton label="Accept" title="Accept what was billed?" confirm="Accept" run={decide('accept')}>
            <p>
              From now on {billedProduct} is what is bound. The invoices that wait earn by the rule of this subscription, in their order.
            </p>
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
