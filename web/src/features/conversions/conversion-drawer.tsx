import { Button } from '../../ui/button.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Commission } from '../../../../sdk/src/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { apiPath } from '../../api/operations.ts';
import { formatDollars } from '../../ui/format.ts';
import { CopyIcon } from '../../ui/copy.tsx';
import { Drawer, DrawerSection, RawJson } from '../../ui/drawer.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import dialog from '../../ui/dialog.module.css';
import { usePageActions } from '../../ui/page-actions.ts';
import { apiQuery, noId } from '../../ui/queries.ts';
import { TextLink } from '../../ui/links.tsx';
import { Time } from '../../ui/time.tsx';
import { Attribution } from './attribution.tsx';
import { CommissionStatusChip, CommissionFlags } from './commission-status-chips.tsx';
import { goalAuthor, subjectOf } from './commissions-api.ts';
import { ConversionTimeline } from './conversion-timeline.tsx';
import styles from './conversions.module.css';
import { actionLabels, type ReviewActionName } from './review-actions.ts';
import type { ReviewDialogRequest } from './review-dialog.tsx';
import { notifyReviewFailed, type Review } from './use-review.tsx';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';

type ConversionDrawerProps = {
  readonly store: string;
  readonly id: string;
  readonly mayReview: boolean;
  readonly review: Review;
  readonly openDialog: (request: ReviewDialogRequest) => void;
  readonly close: () => void;
};

export function ConversionDrawer({ store, id, mayReview, review, openDialog, close }: ConversionDrawerProps) {
  const found = useQuery({
    ...apiQuery(apiPath('/stores/{store}/commissions/{commission}', { store, commission: id ?? noId })),
  });
  return (
    <Drawer title={found.data === undefined ? t.conversion_drawer.conversion : subjectOf(found.data)} opened onClose={close}>
      <QueryView query={found}>
        {(data) => (
          <>
            {mayReview && <ReviewButtons commission={data} review={review} openDialog={openDialog} />}
            <CommissionDetails store={store} commission={data} />
            <DrawerSection title={t.conversion_drawer.how_the_commission_was_calculated}>
              <p>{localizeTimes(data.explanation)}</p>
            </DrawerSection>
            {data.attribution && <Attribution store={store} attribution={data.attribution} />}
            <ConversionTimeline store={store} commission={data} />
            <RawJson value={data} />
          </>
        )}
      </QueryView>
    </Drawer>
  );
}

function CommissionDetails({ store, commission }: { readonly store: string; readonly commission: Commission }) {
  const {
    amount_cents: amount,
    eligible_cents: eligible,
    refunded_cents: refunded,
    creator_id: creator,
    creator_name: creatorName,
    hold_until: holdUntil,
    terms_version: version,
  } = commission;
  const { order_name: name, customer_id: customer, discount_code: code, bonus } = commission;
  return (
    <DescriptionList
      items={[
        [
          t.conversion_drawer.state,
          <span
            key="s"
            className={styles.chips}
            children={[<CommissionStatusChip key="c" state={commission.state} />, <CommissionFlags key="f" commission={commission} />]}
          />,
        ],
        [t.conversion_drawer.commission, <strong key="a">{t.conversion_drawer.usd({ amount: formatDollars(amount) })}</strong>],
        ...(bonus === null && commission.lead_id === null
          ? [[t.conversion_drawer.eligible_amount, t.conversion_drawer.usd_2({ eligible: formatDollars(eligible) })] as const]
          : []),
        ...(refunded === 0
          ? []
          : [[t.conversion_drawer.refunded, t.conversion_drawer.usd_of({ refunded: formatDollars(refunded) })] as const]),
        [
          t.conversion_drawer.creator,
          <TextLink key="w" to="/stores/$store/creators/$creator" params={{ store, creator }} children={creatorName} />,
        ],
        ...(bonus === null
          ? [[subjectLabel(commission), <CopyableId key="o" value={subjectOf(commission)} label={t.conversion_drawer.the_id} />] as const]
          : bonusItems(bonus)),
        ...(name === null || name === commission.order_id ? [] : [[t.conversion_drawer.order_name, name] as const]),
        ...(customer === null
          ? []
          : [
              [
                t.conversion_drawer.customer,
                <TextLink key="u" to="/stores/$store/customers/$customer" params={{ store, customer }} children={customer} />,
              ] as const,
            ]),
        ...(code === null ? [] : [[t.conversion_drawer.discount_code, code] as const]),
        [t.conversion_drawer.refund_hold_ends, <Time key="h" at={holdUntil} dateOnly />],
        [t.conversion_drawer.terms, version === 0 ? t.conversion_drawer.none : t.conversion_drawer.version({ version })],
        [t.conversion_drawer.commission_id, <CopyableId key="i" value={commission.id} label={t.conversion_drawer.commission_id_2} />],
      ]}
    />
  );
}

function subjectLabel({ order_id: order, lead_id: lead }: Commission): string {
  if (order !== null) return t.conversion_drawer.order;
  return lead === null ? t.conversion_drawer.invoice : t.conversion_drawer.lead;
}

const bonusItems = ({ reason, order_id: order, added_by_name: by }: NonNullable<Commission['bonus']>) => [
  [t.conversion_drawer.bonus, localizeTimes(reason)] as const,
  ...(order === null
    ? []
    : [[t.conversion_drawer.about_order, <CopyableId key="o" value={order} label={t.conversion_drawer.the_id} />] as const]),
  [t.conversion_drawer.added_by, by === goalAuthor ? t.conversion_drawer.goal_of_the_terms : by] as const,
];

const CopyableId = ({ value, label }: { readonly value: string; readonly label: string }) => (
  <span className={styles.copied}>
    <span className="mono">{value}</span>
    <CopyIcon value={value} label={label} />
  </span>
);

/** Only actions that change something and that the service would accept. */
function actionsOf({ state, held }: Commission): readonly ReviewActionName[] {
  if (state === 'reversed') return [];
  if (held !== null) return ['release'];
  if (state === 'pending') return ['approve', 'reject', 'hold'];
  if (state === 'approved') return ['reject', 'reopen', 'hold'];
  if (state === 'rejected') return ['approve', 'reopen'];
  return state === 'paid' ? [] : ['hold'];
}

type ReviewButtonsProps = Pick<ConversionDrawerProps, 'review' | 'openDialog'> & { readonly commission: Commission };

function ReviewButtons({ commission, review, openDialog }: ReviewButtonsProps) {
  const [isDeciding, setDeciding] = useState(false);
  const decide = async (action: ReviewActionName) => {
    if (action === 'reject' || action === 'hold') return openDialog({ action, target: { rows: [commission] } });
    setDeciding(true);
    await review.rows({ do: action }, [commission]).catch(notifyReviewFailed);
    return setDeciding(false);
  };
  const actions = actionsOf(commission);
  usePageActions(
    actions.map((action) => ({
      label: t.conversion_drawer.action_on({ action: actionLabels[action], subject: subjectOf(commission) }),
      icon: 'check',
      run: () => void decide(action),
    })),
  );
  if (actions.length === 0) return null;
  return (
    <div className={dialog.buttons} style={{ margin: '0 0 12px', justifyContent: 'flex-start' }}>
      {actions.map((action) => (
        <Button
          key={action}
          size="xs"
          variant={action === 'approve' ? 'filled' : 'default'}
          disabled={isDeciding}
          // Ignores the second click of a double click, which would hit the button that replaced this one.
          onClick={({ detail }) => detail < 2 && void decide(action)}
        >
          {actionLabels[action]}
        </Button>
      ))}
    </div>
  );
}
