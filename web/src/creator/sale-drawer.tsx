import { dollarsOf } from '../parts/amounts.ts';
import { Drawer, DrawerPart } from '../parts/drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Time } from '../parts/time.tsx';
import styles from './creator.module.css';
import { payWords, stepWords, waitWords } from './pay-words.ts';
import { SaleChips } from './sale-chip.tsx';
import { SaleDispute } from './sale-dispute.tsx';
import { saleName, type Sale } from './sales-api.ts';

/** The story of one sale: why it earns what it earns, or why not, and what still has to happen until it is paid. */
export function SaleDrawer({ sale, close }: { readonly sale: Sale | undefined; readonly close: () => void }) {
  return (
    <Drawer title={sale === undefined ? 'Sale' : saleName(sale)} opened={sale !== undefined} onClose={close}>
      {sale !== undefined && <Story sale={sale} />}
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
