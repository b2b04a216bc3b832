import { useQuery } from '@tanstack/react-query';
import { dollarsOf } from '../parts/amounts.ts';
import { Drawer, DrawerPart } from '../parts/drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import styles from './creator.module.css';
import { payWords, stepWords, waitWords } from './pay-words.ts';
import { SaleChips } from './sale-chip.tsx';
import { SaleDispute } from './sale-dispute.tsx';
import { saleName, salePath, type Sale } from './sales-api.ts';

type SaleDrawerProps = {
  readonly creator: string;
  readonly id: string | undefined;
  /** As the list has it, where it does. */
  readonly listed: Sale | undefined;
  readonly close: () => void;
};

/** The story of one sale: why it earns what it earns, or why not, and what still has to happen until it is paid. */
export function SaleDrawer({ creator, id, listed, close }: SaleDrawerProps) {
  const found = useQuery({
    ...reading<Sale>(salePath(creator, id ?? '')),
    enabled: id !== undefined,
    ...(listed !== undefined && { placeholderData: listed }),
  });
  return (
    <Drawer title={found.data === undefined ? 'Sale' : saleName(found.data)} opened={id !== undefined} onClose={close}>
      {found.isPending && <Waiting />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && <Story sale={found.data} />}
    </Drawer>
  );
}

function Story({ sale }: { readonly sale: Sale }) {
  const { pay } = sale;
  return (
    <>
      <Facts
        facts={[
          [
            'State',
            <span key="s" className={styles.chips}>
              <SaleChips sale={sale} />
            </span>,
          ],
          [pay.word === 'nothing' ? 'Would have earned' : 'Earns', <strong key="a">{dollarsOf(sale.amount_cents)} USD</strong>],
          ['Of', `${dollarsOf(sale.eligible_cents)} USD`],
          ['Shop', `${sale.store_name}, ${sale.program_name}`],
          ['Sold', <Time key="d" at={sale.occurred_at} />],
          ...(sale.sub_id === null ? [] : [['Your sub', sale.sub_id] as const]),
        ]}
      />
      <DrawerPart title={pay.word === 'nothing' ? 'Why it earns nothing' : 'Why it earns this'}>
        <p>{sale.explanation}</p>
      </DrawerPart>
      <SaleDispute sale={sale} />
      <DrawerPart title={pay.at === null || pay.word === 'paid' ? payWords(pay) : `Expected on ${payWords(pay)}`}>
        <p>
          {waitWords(pay)}{' '}
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
                <span>{stepWords(step)}</span>
                {step.at === null ? <span className={styles.quiet}>when they decide</span> : <Time at={step.at} dateOnly />}
              </li>
            ))}
          </ol>
        )}
      </DrawerPart>
    </>
  );
}
