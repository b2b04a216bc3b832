import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { SubscriptionTerms, Subscription, SubscriptionInvoice, SubscriptionDetails } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars, formatPercent } from '../../ui/format.ts';
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
import { localizeTimes } from '../../ui/localize-times.ts';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

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
    <Drawer title={subscription?.relationship_id ?? t.subscription_drawer.subscription} opened={id !== undefined} onClose={close}>
      <QueryView query={found} />
      {subscription !== undefined && (
        <>
          {subscription.held !== null && <ReviewSection store={store} subscription={subscription} mayReview={mayReview} />}
          <SubscriptionDetails subscription={subscription} />
          <DrawerSection title={t.subscription_drawer.invoices}>
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
    attribution_explanation: attribution,
  } = subscription;
  return (
    <DescriptionList
      items={[
        [t.subscription_drawer.state, <SubscriptionStatusChips key="s" subscription={subscription} />],
        [t.subscription_drawer.creator, creator],
        ...(attribution === null ? [] : [[t.subscription_drawer.why_this_creator, localizeTimes(attribution)] as const]),
        [t.subscription_drawer.product, productText(subscription)],
        [t.subscription_drawer.bound, <Time key="b" at={bound} />],
        [t.subscription_drawer.earns, rule === null ? t.subscription_drawer.nothing_because_no_commission_rule : ruleText(rule)],
        [
          t.subscription_drawer.paid_invoices,
          rule?.max_invoices
            ? t.subscription_drawer.of_which_of_at_most({ paid, earning: subscription.earning_invoices, max: rule.max_invoices })
            : formats.number(paid),
        ],
        [t.subscription_drawer.commissions_so_far, <strong key="e">{t.subscription_drawer.usd({ earned: formatDollars(earned) })}</strong>],
        ...(ended === null ? [] : [[t.subscription_drawer.ended, <EndText key="x" at={ended} reason={reason} />] as const]),
        [
          'ID',
          <span key="i" className={styles.copied}>
            <span className="mono">{subscription.id}</span>
            <CopyIcon value={subscription.id} label={t.subscription_drawer.subscription_id} />
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
  const rate =
    points === null
      ? t.subscription_drawer.usd_per_invoice({ dollars: formatDollars(flat ?? 0) })
      : t.subscription_drawer.of_each_invoice({ points: formatPercent(points) });
  const limits = [
    ...(invoices === null ? [] : [t.subscription_drawer.up_to_invoices({ count: invoices })]),
    ...(months === null ? [] : [t.subscription_drawer.for_months({ count: months })]),
  ];
  return t.subscription_drawer.terms_version({ rate, value: limits.map((limit) => `, ${limit}`).join(''), version });
}

function InvoiceList({ store, invoices }: { readonly store: string; readonly invoices: readonly SubscriptionInvoice[] }) {
  if (invoices.length === 0) return <p>{t.subscription_drawer.no_invoices_yet_they_appear}</p>;
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
          <span className="number">
            {invoice.amount_paid_cents === null
              ? '–'
              : t.subscription_drawer.usd_2({ amountPaidCents: formatDollars(invoice.amount_paid_cents) })}
          </span>
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
        {rich(t.subscription_drawer.needs_review_the_subscription_was({ subscription: productText(subscription), billedProduct }), {
          b: <strong />,
          time: <Time at={held.since} />,
        })}
      </p>
      {mayReview ? (
        <div className={styles.buttons}>
          <ConfirmButton
            label={t.subscription_drawer.accept}
            title={t.subscription_drawer.accept_the_new_product}
            confirm={t.subscription_drawer.accept}
            run={decide('accept')}
          >
            <p>{t.subscription_drawer.the_subscription_is_bound_to({ billedProduct })}</p>
          </ConfirmButton>
          <ConfirmButton
            label={t.subscription_drawer.decline}
            title={t.subscription_drawer.decline_the_new_product}
            confirm={t.subscription_drawer.decline}
            danger
            run={decide('decline')}
          >
            <p>{t.subscription_drawer.waiting_invoices_earn_nothing_the}</p>
          </ConfirmButton>
        </div>
      ) : (
        <p>{t.subscription_drawer.a_team_member_who_can}</p>
      )}
    </div>
  );
}
