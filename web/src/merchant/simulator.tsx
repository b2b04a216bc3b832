import { Button, TextInput } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { api, ApiProblem } from '../api.ts';
import { dollarsOf, percentOf } from '../parts/amounts.ts';
import { useAction } from '../parts/dialog.tsx';
import { faultOfWhole } from '../parts/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Time } from '../parts/time.tsx';
import { programPath } from './programs-api.ts';
import type { Simulated, TriedLine, TriedOrder } from './simulator-api.ts';
import styles from './simulator.module.css';
import { orderIn } from './tried-order.ts';

type SimulatorProps = {
  readonly store: string;
  readonly program: string;
  /** Terms that are not made yet, as they are typed just now; it may throw what is wrong with them. */
  readonly draft?: () => object;
  readonly withProducts: boolean;
};

const linesMax = 20;

/** "An order of 120 USD on May 3 earns …", by the decision that real orders go through. No form of its own: it may stand in one. */
export function Simulator({ store, program, draft, withProducts }: SimulatorProps) {
  const [order, setOrder] = useState<TriedOrder>({ total: '120', lines: [], orderedAt: '', clickedAt: '' });
  const [end, setEnd] = useState<Simulated | null>(null);
  const change = (part: Partial<TriedOrder>) => {
    setOrder((before) => ({ ...before, ...part }));
    // It was the end of another order.
    setEnd(null);
  };
  // What is no longer shown is not asked either.
  const lines = withProducts ? order.lines : [];
  const attempt = useAction(async () => {
    setEnd(null);
    const body = { ...orderIn({ ...order, lines }), ...(draft !== undefined && { terms: wholeDraft(draft) }) };
    setEnd(await api.post<Simulated>(`${programPath(store, program)}/simulate`, body));
  });
  // In a form Enter would send the form instead.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (!attempt.running) attempt.run();
  };
  return (
    <div className={styles.simulator} role="group" aria-label="Try an order">
      <OrderFields order={order} withTotal={lines.length === 0} change={change} onKeyDown={onKeyDown} />
      {withProducts && <Lines onKeyDown={onKeyDown} lines={lines} change={(changed) => change({ lines: changed })} />}
      <div>
        <Button variant="default" size="xs" loading={attempt.running} onClick={attempt.run}>
          Try this order
        </Button>
      </div>
      {attempt.problem && <ProblemNote problem={attempt.problem} />}
      {end && <End end={end} isDraft={draft !== undefined} />}
    </div>
  );
}

/** What is wrong with a rule is told beside it when the form is sent; here it has to say what it is about. */
function wholeDraft(draft: () => object): object {
  try {
    return draft();
  } catch (error) {
    throw error instanceof ApiProblem ? faultOfWhole(`What is typed above is not whole yet: it ${error.message}.`) : error;
  }
}

type Keys = { readonly onKeyDown: (event: KeyboardEvent) => void };
type OrderFieldsProps = Keys & {
  readonly order: TriedOrder;
  /** Else its products make it up. */
  readonly withTotal: boolean;
  readonly change: (part: Partial<TriedOrder>) => void;
};

const OrderFields = ({ order, withTotal, change, onKeyDown }: OrderFieldsProps) => (
  <div className={styles.fields}>
    {withTotal && (
      <TextInput
        label="Order total"
        description="US dollars"
        inputMode="decimal"
        className="number"
        value={order.total}
        onKeyDown={onKeyDown}
        onChange={(event) => change({ total: event.currentTarget.value })}
      />
    )}
    <Moment
      onKeyDown={onKeyDown}
      label="Paid at"
      description="Empty: now"
      value={order.orderedAt}
      change={(orderedAt) => change({ orderedAt })}
    />
    <Moment
      onKeyDown={onKeyDown}
      label="Clicked at"
      description="Empty: an hour before"
      value={order.clickedAt}
      change={(clickedAt) => change({ clickedAt })}
    />
  </div>
);

type MomentProps = Keys & {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly change: (value: string) => void;
};

const Moment = ({ label, description, value, change, onKeyDown }: MomentProps) => (
  <TextInput
    label={label}
    description={description}
    type="datetime-local"
    value={value}
    onKeyDown={onKeyDown}
    onChange={(event) => change(event.currentTarget.value)}
  />
);

type LinesProps = Keys & { readonly lines: readonly TriedLine[]; readonly change: (lines: readonly TriedLine[]) => void };

function Lines({ lines, change, onKeyDown }: LinesProps) {
  const set = (place: number, part: Partial<TriedLine>) => change(lines.map((line, at) => (at === place ? { ...line, ...part } : line)));
  return (
    <>
      {lines.map((line, place) => (
        <div key={place} className={styles.line} role="group" aria-label={`Product ${place + 1}`}>
          <TextInput
            label="Product"
            onKeyDown={onKeyDown}
            value={line.product}
            onChange={(event) => set(place, { product: event.currentTarget.value })}
          />
          <TextInput
            label="Quantity"
            inputMode="numeric"
            value={line.quantity}
            onKeyDown={onKeyDown}
            onChange={(event) => set(place, { quantity: event.currentTarget.value })}
          />
          <TextInput
            label="Amount, USD"
            inputMode="decimal"
            value={line.amount}
            onKeyDown={onKeyDown}
            onChange={(event) => set(place, { amount: event.currentTarget.value })}
          />
          <Button
            variant="subtle"
            color="red"
            size="compact-xs"
            aria-label={`Remove product ${place + 1}`}
            onClick={() => change(lines.filter((_line, at) => at !== place))}
          >
            Remove
          </Button>
        </div>
      ))}
      {lines.length < linesMax && (
        <div>
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => change([...lines, { product: '', quantity: '1', amount: '' }])}
          >
            Add a product
          </Button>
        </div>
      )}
    </>
  );
}

function End({ end, isDraft }: { readonly end: Simulated; readonly isDraft: boolean }) {
  const { commission_cents: cents, explanation, earned, terms_version: version, approves_itself_at: approves } = end;
  return (
    <div className={styles.end} role="status" data-good={cents !== null || undefined}>
      <p className={styles.amount}>{cents === null ? `Nothing: ${end.status} ${end.reason}` : `${dollarsOf(cents)} USD`}</p>
      <p>{explanation}</p>
      {earned.length > 1 && (
        <ul>
          {earned.map((part, place) => (
            <li key={place}>
              {part.product_id === null ? 'Order' : `Product ${part.product_id}`}, {dollarsOf(part.of_cents)} USD:{' '}
              {part.basis_points === null ? `${dollarsOf(part.flat_cents ?? 0)} USD × ${part.quantity}` : percentOf(part.basis_points)} ={' '}
              {dollarsOf(part.amount_cents)} USD
            </li>
          ))}
        </ul>
      )}
      {cents !== null && (
        <p className={styles.note}>
          {version !== null && (isDraft ? `By the draft of version ${version}. ` : `By version ${version} of the terms. `)}
          {approves !== null && (
            <>
              Approves itself on <Time at={approves} dateOnly />.
            </>
          )}
        </p>
      )}
    </div>
  );
}
