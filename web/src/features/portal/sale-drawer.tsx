import { useQuery } from '@tanstack/react-query';
import { formatDollars } from '../../ui/format.ts';
import { Drawer, DrawerSection } from '../../ui/drawer.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './creator.module.css';
import { paymentDateText, paymentStepText, paymentStatusText } from './payment-text.ts';
import { SaleStatusChips } from './sale-status-chips.tsx';
import { SaleDispute } from './sale-dispute.tsx';
import { saleName, salePath, type Sale } from './sales-api.ts';

type SaleDrawerProps = {
  readonly creator: string;
  readonly id: string | undefined;
  /** The row of the list, when the list contains it. */
  readonly listed: Sale | undefined;
  readonly close: () => void;
};

/** The details of one sale: why it earns what it earns, and the steps until it is paid. */
export function SaleDrawer({ creator, id, listed, close }: SaleDrawerProps) {
  const found = useQuery({
    ...apiQuery<Sale>(salePath(creator, id ?? '')),
    enabled: id !== undefined,
    ...(listed !== undefined && { placeholderData: listed }),
  });
  return (
    <Drawer title={found.data === undefined ? 'Sale' : saleName(found.data)} opened={id !== undefined} onClose={close}>
      {found.isPending && <LoadingSkeleton />}
      {found.isError && <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && <SaleDetails sale={found.data} />}
    </Drawer>
  );
}

function SaleDetails({ sale }: { readonly sale: Sale }) {
  const { pay } = sale;
  return (
    <>
      <DescriptionList
        facts={[
          [
            'State',
            <span key="s" className={styles.chips}>
              <SaleStatusChips sale={sale} />
            </span>,
          ],
          [pay.word === 'nothing' ? 'Would have earned' : 'Earns', <strong key="a">{formatDollars(sale.amount_cents)} USD</strong>],
          ['Of', `${formatDollars(sale.eligible_cents)} USD`],
          ['Shop', `${sale.store_name}, ${sale.program_name}`],
          ['Sold', <Time key="d" at={sale.occurred_at} />],
          ...(sale.sub_id === null ? [] : [['Your sub', sale.sub_id] as const]),
        ]}
      />
      <DrawerSection title={pay.word === 'nothing' ? 'Why it earns nothing' : 'Why it earns this'}>
        <p>{sale.explanation}</p>
      </DrawerSection>
      <SaleDispute sale={sale} />
      <DrawerSection title={pay.at === null || pay.word === 'paid' ? paymentDateText(pay) : `Expected on ${paymentDateText(pay)}`}>
        <p>
          {paymentStatusText(pay)}{' '}
          {pay.payout_id !== null && (
            <TextLink to="/creator/payouts/$payout" params={{ payout: pay.payout_id }}>
              See the payout
            </TextLink>
          )}
        </p>
        {pay.steps.length > 0 && (
          <ol className={styles.steps}>
            {pay.steps.map((step) => (
              <li key={step.what}>
                <span>{paymentStepText(step)}</span>
                {step.at === null ? <span className={styles.quiet}>when they decide</span> : <Time at={step.at} dateOnly />}
              </li>
            ))}
          </ol>
        )}
      </DrawerSection>
    </>
  );
}
