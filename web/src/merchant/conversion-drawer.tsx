import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dollarsOf } from '../parts/amounts.ts';
import { CopyIcon } from '../parts/copy.tsx';
import { Drawer, DrawerPart, RawJson } from '../parts/drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import dialog from '../parts/dialog.module.css';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { CommissionChip, Flags } from './commission-chips.tsx';
import { commissionsPath, subjectOf, type Commission } from './commissions-api.ts';
import { ConversionTimeline } from './conversion-timeline.tsx';
import styles from './conversions.module.css';
import type { Asking, ReviewWay } from './review-dialogs.tsx';
import { tellProblem, type Reviewing } from './review-sending.tsx';

type DrawerProps = {
  readonly store: string;
  readonly id: string | undefined;
  readonly mayReview: boolean;
  readonly reviewing: Reviewing;
  readonly ask: (asking: Asking) => void;
  readonly close: () => void;
};

export function ConversionDrawer({ store, id, mayReview, reviewing, ask, close }: DrawerProps) {
  const found = useQuery({ ...reading<Commission>(`${commissionsPath(store)}/${id}`), enabled: id !== undefined });
  return (
    <Drawer title={found.data === undefined ? 'Conversion' : subjectOf(found.data)} opened={id !== undefined} onClose={close}>
      {found.isPending && <Waiting />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <>
          {mayReview && <Ways commission={found.data} reviewing={reviewing} ask={ask} />}
          <What commission={found.data} />
          <DrawerPart title="Why it earns this">
            <p>{found.data.explanation}</p>
          </DrawerPart>
          <ConversionTimeline store={store} commission={found.data} />
          <RawJson value={found.data} />
        </>
      )}
    </Drawer>
  );
}

function What({ commission }: { readonly commission: Commission }) {
  const {
    amount_cents: amount,
    eligible_cents: eligible,
    creator_name: creator,
    hold_until: holdUntil,
    terms_version: version,
  } = commission;
  const { order_name: name, customer_id: customer, discount_code: code } = commission;
  return (
    <Facts
      facts={[
        [
          'State',
          <span
            key="s"
            className={styles.chips}
            children={[<CommissionChip key="c" state={commission.state} />, <Flags key="f" commission={commission} />]}
          />,
        ],
        ['Commission', <strong key="a">{dollarsOf(amount)} USD</strong>],
        ['Eligible', `${dollarsOf(eligible)} USD`],
        ['Creator', creator],
        [commission.order_id === null ? 'Invoice' : 'Order', <Copied key="o" value={subjectOf(commission)} label="the ID" />],
        ...(name === null || name === commission.order_id ? [] : [['Order name', name] as const]),
        ...(customer === null ? [] : [['Customer', customer] as const]),
        ...(code === null ? [] : [['Discount code', code] as const]),
        ['Refund hold ends', <Time key="h" at={holdUntil} dateOnly />],
        ['Terms', version === 0 ? 'none' : `version ${version}`],
        ['Commission ID', <Copied key="i" value={commission.id} label="the commission’s ID" />],
      ]}
    />
  );
}

const Copied = ({ value, label }: { readonly value: string; readonly label: string }) => (
  <span className={styles.copied}>
    <span className="mono">{value}</span>
    <CopyIcon value={value} label={label} />
  </span>
);

const labels: Readonly<Record<ReviewWay, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  hold: 'Hold',
  release: 'Release',
  reopen: 'Reopen',
};

/** Only what would change something, and would not be refused. */
function waysOf({ state, held }: Commission): readonly ReviewWay[] {
  if (state === 'reversed') return [];
  if (held !== null) return ['release'];
  if (state === 'pending') return ['approve', 'reject', 'hold'];
  if (state === 'approved') return ['reject', 'reopen', 'hold'];
  if (state === 'rejected') return ['approve', 'reopen'];
  return state === 'paid' ? [] : ['hold'];
}

type WaysProps = Pick<DrawerProps, 'reviewing' | 'ask'> & { readonly commission: Commission };

function Ways({ commission, reviewing, ask }: WaysProps) {
  const [isDeciding, setDeciding] = useState(false);
  const decide = async (way: ReviewWay) => {
    if (way === 'reject' || way === 'hold') return ask({ way, target: { rows: [commission] } });
    setDeciding(true);
    await reviewing.rows({ do: way }, [commission]).catch(tellProblem);
    return setDeciding(false);
  };
  const ways = waysOf(commission);
  if (ways.length === 0) return null;
  return (
    <div className={dialog.buttons} style={{ margin: '0 0 12px', justifyContent: 'flex-start' }}>
      {ways.map((way) => (
        <Button
          key={way}
          size="xs"
          variant={way === 'approve' ? 'filled' : 'default'}
          disabled={isDeciding}
          // The second press of a double one falls on the button that took the place of the first.
          onClick={({ detail }) => detail < 2 && void decide(way)}
        >
          {labels[way]}
        </Button>
      ))}
    </div>
  );
}
