import { useMutation } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { SelectInput, TextInput } from '../../ui/inputs.tsx';
import { useState, type KeyboardEvent } from 'react';
import { api, ApiError } from '../../api/client.ts';
import type { SimulationResult } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars, formatPercent, parseHundredths } from '../../ui/format.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { formError } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Time, localInputToUtc } from '../../ui/time.tsx';
import { useRateSubjects } from './own-rates.ts';
import type { SimulatedLine, SimulatedOrder } from './simulator-api.ts';
import styles from './simulator.module.css';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

type SimulatorProps = {
  readonly store: string;
  readonly program: string;
  /** Draft terms as typed; throws a validation error when they are invalid. */
  readonly draft?: () => object;
  readonly withProducts: boolean;
};

const linesMax = 20;
const codeLengthMax = 64;
const countryLength = 2;
const firstOrder: SimulatedOrder = {
  total: '120',
  lines: [],
  orderedAt: '',
  clickedAt: '',
  hasClick: true,
  discountCode: '',
  country: '',
  firstOrderAt: '',
};

/**
 * "An order of 120 USD on May 3 earns …", computed by the decision for real orders. It contains no form, because it may be inside one.
 */
export function Simulator({ store, program, draft, withProducts }: SimulatorProps) {
  const [order, setOrder] = useState<SimulatedOrder>(firstOrder);
  const [creator, setCreator] = useState('');
  const { members } = useRateSubjects(store, program);
  const [result, setResult] = useState<SimulationResult | null>(null);
  const change = (part: Partial<SimulatedOrder>) => {
    setOrder((before) => ({ ...before, ...part }));
    // The result belongs to another order.
    setResult(null);
  };
  // Hidden fields are not sent.
  const lines = withProducts ? order.lines : [];
  const simulate = useMutation({
    mutationFn: async () => {
      setResult(null);
      const body = {
        ...simulationBody({ ...order, lines }),
        ...(draft !== undefined && { terms: completeDraft(draft) }),
        ...(creator !== '' && { click_creator_id: creator }),
      };
      setResult(await api.post(apiPath('/stores/{store}/programs/{program}/simulate', { store, program }), body));
    },
  });
  // Inside a form, Enter would submit the form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (!simulate.isPending) simulate.mutate();
  };
  return (
    <div className={styles.simulator} role="group" aria-label={t.simulator.simulate_an_order}>
      <OrderFields order={order} withTotal={lines.length === 0} change={change} onKeyDown={onKeyDown} />
      {members.length > 0 && (
        <SelectInput
          label={t.simulator.creator}
          description={t.simulator.whose_rates_apply}
          value={creator}
          data={[
            { value: '', label: t.simulator.any_creator },
            ...members.map(({ creator_id: id, creator_name: name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => {
            setCreator(event.currentTarget.value);
            setResult(null);
          }}
        />
      )}
      {withProducts && <OrderLines onKeyDown={onKeyDown} lines={lines} change={(changed) => change({ lines: changed })} />}
      <div>
        <Button variant="default" size="xs" loading={simulate.isPending} onClick={() => simulate.mutate()}>
          {t.simulator.simulate_order}
        </Button>
      </div>
      <ErrorAlert error={simulate.error} />
      {result && <SimulationResultView end={result} isDraft={draft !== undefined} />}
    </div>
  );
}

/** The form shows rule errors next to their rule; here the message must name the rule. */
function completeDraft(draft: () => object): object {
  try {
    return draft();
  } catch (error) {
    throw error instanceof ApiError ? formError(t.simulator.complete_the_terms_above_first({ message: error.message })) : error;
  }
}

type KeyHandler = { readonly onKeyDown: (event: KeyboardEvent) => void };
type OrderFieldsProps = KeyHandler & {
  readonly order: SimulatedOrder;
  /** False when the products make up the total. */
  readonly withTotal: boolean;
  readonly change: (part: Partial<SimulatedOrder>) => void;
};

const OrderFields = ({ order, withTotal, change, onKeyDown }: OrderFieldsProps) => (
  <div className={styles.fields}>
    {withTotal && (
      <TextInput
        label={t.simulator.order_total}
        description={t.simulator.us_dollars}
        inputMode="decimal"
        className="number"
        value={order.total}
        onKeyDown={onKeyDown}
        onChange={(event) => change({ total: event.currentTarget.value })}
      />
    )}
    <TimeField
      onKeyDown={onKeyDown}
      label={t.simulator.paid_at}
      description={t.simulator.leave_empty_for_now}
      value={order.orderedAt}
      change={(orderedAt) => change({ orderedAt })}
    />
    <SelectInput
      label={t.simulator.click}
      value={order.hasClick ? 'yes' : 'no'}
      onKeyDown={onKeyDown}
      onChange={(event) => change({ hasClick: event.currentTarget.value === 'yes' })}
      data={[
        { value: 'yes', label: t.simulator.with_click },
        { value: 'no', label: t.simulator.without_click },
      ]}
    />
    {order.hasClick && (
      <TimeField
        onKeyDown={onKeyDown}
        label={t.simulator.clicked_at}
        description={t.simulator.leave_empty_for_one_hour}
        value={order.clickedAt}
        change={(clickedAt) => change({ clickedAt })}
      />
    )}
    <TextInput
      label={t.simulator.discount_code}
      description={t.simulator.discount_code_hint}
      maxLength={codeLengthMax}
      value={order.discountCode}
      onKeyDown={onKeyDown}
      onChange={(event) => change({ discountCode: event.currentTarget.value })}
    />
    <CountryField order={order} change={change} onKeyDown={onKeyDown} />
    <TimeField
      onKeyDown={onKeyDown}
      label={t.simulator.first_order_at}
      description={t.simulator.first_order_hint}
      value={order.firstOrderAt}
      change={(firstOrderAt) => change({ firstOrderAt })}
    />
  </div>
);

const CountryField = ({ order, change, onKeyDown }: Omit<OrderFieldsProps, 'withTotal'>) => (
  <TextInput
    label={t.simulator.country}
    description={t.simulator.country_hint}
    maxLength={countryLength}
    value={order.country}
    onKeyDown={onKeyDown}
    onChange={(event) => change({ country: event.currentTarget.value })}
  />
);

type TimeFieldProps = KeyHandler & {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly change: (value: string) => void;
};

const TimeField = ({ label, description, value, change, onKeyDown }: TimeFieldProps) => (
  <TextInput
    label={label}
    description={description}
    type="datetime-local"
    value={value}
    onKeyDown={onKeyDown}
    onChange={(event) => change(event.currentTarget.value)}
  />
);

type OrderLinesProps = KeyHandler & {
  readonly lines: readonly SimulatedLine[];
  readonly change: (lines: readonly SimulatedLine[]) => void;
};

function OrderLines({ lines, change, onKeyDown }: OrderLinesProps) {
  const set = (index: number, part: Partial<SimulatedLine>) =>
    change(lines.map((line, at) => (at === index ? { ...line, ...part } : line)));
  return (
    <>
      {lines.map((line, place) => (
        <div key={place} className={styles.line} role="group" aria-label={t.simulator.product({ value: place + 1 })}>
          <TextInput
            label={t.simulator.product_2}
            onKeyDown={onKeyDown}
            value={line.product}
            onChange={(event) => set(place, { product: event.currentTarget.value })}
          />
          <TextInput
            label={t.simulator.quantity}
            inputMode="numeric"
            value={line.quantity}
            onKeyDown={onKeyDown}
            onChange={(event) => set(place, { quantity: event.currentTarget.value })}
          />
          <TextInput
            label={t.simulator.amount_usd}
            inputMode="decimal"
            value={line.amount}
            onKeyDown={onKeyDown}
            onChange={(event) => set(place, { amount: event.currentTarget.value })}
          />
          <Button
            variant="subtle"
            color="red"
            size="compact-xs"
            aria-label={t.simulator.remove_product({ value: place + 1 })}
            onClick={() => change(lines.filter((_line, at) => at !== place))}
          >
            {t.simulator.remove}
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
            {t.simulator.add_product}
          </Button>
        </div>
      )}
    </>
  );
}

function SimulationResultView({ end, isDraft }: { readonly end: SimulationResult; readonly isDraft: boolean }) {
  const { commission_cents: cents, explanation, earned, terms_version: version, approves_itself_at: approves } = end;
  return (
    <div className={styles.result} role="status" data-good={cents !== null || undefined}>
      <p className={styles.amount}>
        {cents === null
          ? t.simulator.no_commission({ status: end.status, reason: end.reason })
          : t.simulator.usd({ cents: formatDollars(cents) })}
      </p>
      {cents !== null && end.attribution !== null && <p>{earnerText(end)}</p>}
      <p>{localizeTimes(explanation)}</p>
      {earned.length > 1 && (
        <ul>
          {earned.map((part, index) => (
            <li key={index}>
              {part.product_id === null ? t.simulator.order : t.simulator.product_3({ productId: part.product_id })},{' '}
              {formatDollars(part.of_cents)} {t.simulator.usd_2}{' '}
              {part.basis_points === null
                ? t.simulator.usd_3({ dollars: formatDollars(part.flat_cents ?? 0), quantity: part.quantity })
                : formatPercent(part.basis_points)}{' '}
              = {formatDollars(part.amount_cents)} {t.simulator.usd_4}
            </li>
          ))}
        </ul>
      )}
      {earned.map(
        ({ product_id: product, preceded = [] }, index) =>
          preceded.length > 0 && (
            <p key={index} className={styles.note}>
              {precedesText(product, preceded.map(({ text }) => localizeTimes(text)).join('; '))}
            </p>
          ),
      )}
      {cents !== null && (
        <p className={styles.note}>
          {version !== null &&
            (isDraft ? t.simulator.according_to_the_draft_of({ version }) : t.simulator.according_to_version_of_the({ version }))}
          {approves !== null && <>{rich(t.simulator.auto_approval_on, { time: <Time at={approves} dateOnly /> })}</>}
        </p>
      )}
    </div>
  );
}

const precedesText = (product: string | null, rules: string): string =>
  product === null ? t.simulator.precedes({ rules }) : t.simulator.precedes_for({ product, rules });

/** Creators who were made up for the simulation have no name. */
function earnerText({ creator_name: creator, attribution }: SimulationResult): string {
  if (creator !== null) return t.simulator.earned_by({ creator });
  return attribution?.attributed_by === 'customer' ? t.simulator.earned_by_unnamed_customer : t.simulator.earned_by_unnamed_click;
}

/** The typed order as a request body: the total in cents, or the line items that make it up. */
function simulationBody({ total, lines, orderedAt, clickedAt, hasClick, discountCode, country, firstOrderAt }: SimulatedOrder) {
  const items = lines.map(parseLine);
  const subtotal =
    items.length === 0
      ? parseCents(total, t.simulator.the_order_total)
      : items.reduce((sum, { amount_minor_units: cents }) => sum + cents, 0);
  return {
    order: {
      order_subtotal_cents: subtotal,
      ...(items.length > 0 && { line_items: items }),
      ...(orderedAt !== '' && { occurred_at: parseOrderTime(orderedAt) }),
      ...(discountCode.trim() !== '' && { discount_code: discountCode.trim() }),
      ...(country !== '' && { country }),
    },
    ...(hasClick ? clickedAt !== '' && { clicked_at: parseOrderTime(clickedAt) } : { clicked_at: null }),
    ...(firstOrderAt !== '' && { customer: { first_order_at: parseOrderTime(firstOrderAt) } }),
  };
}

function parseLine({ product, quantity, amount }: SimulatedLine) {
  if (product === '') throw formError(t.simulator.enter_an_id_for_each);
  if (!/^[1-9]\d{0,8}$/.test(quantity)) throw formError(t.simulator.enter_a_quantity_of);
  return { product_id: product, quantity: Number(quantity), amount_minor_units: parseCents(amount, t.simulator.the_amount_of_a_product) };
}

function parseOrderTime(typed: string): string {
  const moment = localInputToUtc(typed);
  if (moment === null) throw formError(t.simulator.enter_both_day_and_time);
  return moment;
}

function parseCents(typed: string, what: string): number {
  const cents = parseHundredths(typed.trim());
  if (cents === null) throw formError(t.simulator.must_be_an_amount_such({ what }));
  return cents;
}
