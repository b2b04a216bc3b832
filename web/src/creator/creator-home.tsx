import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usd } from '../parts/amounts.ts';
import { Copyable } from '../parts/copy.tsx';
import { Figure, Figures } from '../parts/figures.tsx';
import { Icon } from '../parts/icons.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useIsEmpty } from '../parts/has-rows.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { balanceReading, creatorReading, membershipList, refusedTotalsReading, useCreatorId, type Balance } from './creator-api.ts';
import styles from './creator.module.css';

/** A creator's first page: where the money is, when the next of it comes, and what blocks the rest. */
export function CreatorHome() {
  const id = useCreatorId();
  const creator = useQuery(creatorReading(id));
  const balance = useQuery(balanceReading(id));
  const isInNoProgram = useIsEmpty(membershipList(id));
  if (creator.isPending) return <Page title="Creator’s portal" children={<Waiting />} />;
  if (creator.isError)
    return <Page title="Creator’s portal" children={<ProblemNote problem={creator.error} onRetry={() => void creator.refetch()} />} />;
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
      {isInNoProgram && <FirstStep />}
      {balance.isPending && <Section title="Money" bare children={<Waiting lines={4} />} />}
      {balance.isError && <ProblemNote problem={balance.error} onRetry={() => void balance.refetch()} />}
      {balance.isSuccess && (
        <>
          <MoneyBar balance={balance.data} />
          <NextPayout balance={balance.data} />
          <RefusedNote creator={id} />
        </>
      )}
      <Section title="Your creator ID" intro="Merchants can add you to their programs with it. It is no secret, and opens nothing.">
        <Copyable value={id} label="your creator ID" />
      </Section>
    </Page>
  );
}

/** Says that something was refused lately; without a refusal it says nothing. */
function RefusedNote({ creator }: { readonly creator: string }) {
  const totals = useQuery(refusedTotalsReading(creator));
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

function MoneyBar({ balance }: { readonly balance: Balance }) {
  const { in_payout_cents: inPayout, held_cents: held } = balance;
  return (
    <Figures>
      <Figure name="Available" value={usd(balance.available_cents)} about="paid by merchants, yours" />
      {inPayout > 0 && <Figure name="On its way" value={usd(inPayout)} about="in a payout" />}
      <Figure name="In hold" value={usd(balance.in_hold_cents)} about="until refunds are no longer expected" />
      <Figure name="Waiting for the merchant" value={usd(balance.waiting_for_merchant_cents)} about="to be approved, billed or paid" />
      {held > 0 && <Figure name="Held" value={usd(held)} about="somebody looks into it" />}
      <Figure name="Paid" value={usd(balance.paid_cents)} about="to you so far" />
    </Figures>
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
        {next.amount_cents > 0 ? `${usd(next.amount_cents)} on` : 'Nothing yet for'} <Time at={next.at} dateOnly />
      </p>
      <p className={styles.quiet} style={{ margin: 0 }}>
        Payouts are on the 1st and the 15th, of what merchants have paid; the next one from {usd(next.minimum_cents)}.
      </p>
      {blocks.length > 0 && (
        <>
          <h3 className={styles.part}>What is not in it yet</h3>
          <ul className={styles.blocks}>
            {blocks.map(({ reason, amount_cents: cents, until, message }) => (
              <li key={reason}>
                {cents > 0 && <strong>{usd(cents)}</strong>}
                <span>
                  {message}
                  {until !== null && (
                    <>
                      {' It ends on '}
                      <Time at={until} dateOnly />.
                    </>
                  )}{' '}
                  <Help reason={reason} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** Where to look, or what to do about it. */
function Help({ reason }: { readonly reason: string }) {
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

const FirstStep = () => (
  <Section title="Begin here">
    <Empty
      title="You are in no program yet"
      action={
        <ButtonLink variant="default" to="/creator/programs">
          See how to join
        </ButtonLink>
      }
    >
      Open the page of a program that a merchant gave you, and apply. Or give your creator ID to a merchant, who adds you.
    </Empty>
  </Section>
);
