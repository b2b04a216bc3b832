import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { apiPath, type RequestBody } from '../../api/operations.ts';
import type { InvoiceLine, LateRefundCredit } from '../../../../sdk/src/api-schema.ts';
import { TextField } from '../../ui/fields.tsx';
import { fieldError, Form, useFieldError, type Values } from '../../ui/form.tsx';
import { formatDollars, parseHundredths } from '../../ui/format.ts';
import { DrawerSection } from '../../ui/drawer.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { toasts } from '../../ui/toasts.ts';
import { AddRuleButton, indexes, RuleField, RuleFrame, useRows, type Rows } from '../programs/rule-fields.tsx';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';

const refundIdLengthMax = 500;
const reasonLengthMax = 400;
const productsMax = 200;

type LateRefundProps = {
  readonly store: string;
  readonly line: InvoiceLine;
  readonly done: () => Promise<unknown>;
};
type LateRefundBody = RequestBody<'/stores/{store}/commissions/{commission}/late-refunds', 'post'>;

/** Credits a partial refund of a commission that is in a payout. The service computes its part from the copied terms. */
export function LateRefund({ store, line, done }: LateRefundProps) {
  const products = useRows<null>([], () => {});
  const commission = useQuery(apiQuery(apiPath('/stores/{store}/commissions/{commission}', { store, commission: line.commission_id })));
  return (
    <DrawerSection title={t.late_refund.partial_refund_of({ order: line.order_id ?? line.invoice_id ?? line.commission_id })}>
      <p>{t.late_refund.intro}</p>
      {commission.data !== undefined && <p>{localizeTimes(commission.data.explanation)}</p>}
      <Form
        send={(values, key) =>
          api.post(
            apiPath('/stores/{store}/commissions/{commission}/late-refunds', { store, commission: line.commission_id }),
            refundOf(values),
            key,
          )
        }
        done={async ({ credit_note: note, commission_cents: cents }: LateRefundCredit) => {
          toasts.show({ message: t.late_refund.credited({ note: note.number, amount: formatDollars(cents) }) });
          await done();
        }}
        submit={t.late_refund.credit_refund}
        clears
      >
        <TextField
          name="refund_id"
          label={t.late_refund.refund_id}
          description={t.late_refund.of_the_store}
          maxLength={refundIdLengthMax}
        />
        {products.rows.length === 0 && (
          <TextField
            name="amount_cents"
            label={t.late_refund.refunded_amount}
            description={t.late_refund.of_the_order}
            inputMode="decimal"
          />
        )}
        <Products products={products} />
        <TextField name="reason" label={t.late_refund.why} description={t.credit_lines.the_store_sees_it_on} maxLength={reasonLengthMax} />
      </Form>
    </DrawerSection>
  );
}

/** The refunded products, of a program that pays for each product. Their amounts replace the amount of the order. */
function Products({ products }: { readonly products: Rows<null> }) {
  const error = useFieldError('line_items');
  return (
    <div data-errors-for="line_items" tabIndex={-1} aria-invalid={error !== undefined}>
      <p>{t.late_refund.products_hint}</p>
      <input type="hidden" name="line_items.count" value={products.rows.length} />
      {products.rows.map(({ key }, index) => (
        <RuleFrame
          key={key}
          prefix={`line_items.${index}`}
          title={t.late_refund.product({ number: index + 1 })}
          onRemove={() => products.remove(key)}
        >
          <RuleField
            name={`line_items.${index}.product_id`}
            label={t.late_refund.product_id}
            placeholder={t.late_refund.product_example}
            value={null}
          />
          <RuleField name={`line_items.${index}.amount_cents`} label={t.late_refund.refunded_amount} placeholder="25.00" value={null} />
          <RuleField name={`line_items.${index}.quantity`} label={t.late_refund.units_returned} placeholder="0" value={null} numeric />
        </RuleFrame>
      ))}
      {products.rows.length < productsMax && <AddRuleButton label={t.late_refund.add_product} rows={products} fresh={null} />}
      {error !== undefined && <p role="alert">{error}</p>}
    </div>
  );
}

function refundOf(values: Values): LateRefundBody {
  const refund = { refund_id: values.text('refund_id'), reason: values.text('reason') };
  const products = indexes(Number(values.text('line_items.count'))).map((index) => productOf(values, `line_items.${index}`));
  return products.length > 0 ? { ...refund, line_items: products } : { ...refund, amount_cents: amountOf(values, 'amount_cents') };
}

function productOf(values: Values, prefix: string) {
  // Not trimmed: it is compared with what the store's server reported.
  const product = values.raw(`${prefix}.product_id`);
  const units = values.text(`${prefix}.quantity`);
  if (product === '') throw fieldError(`${prefix}.product_id`, t.late_refund.enter_a_product);
  if (!/^\d{0,9}$/.test(units)) throw fieldError(`${prefix}.quantity`, t.late_refund.must_be_units);
  return { product_id: product, amount_cents: amountOf(values, `${prefix}.amount_cents`), quantity: Number(units) };
}

function amountOf(values: Values, name: string): number {
  const amount = parseHundredths(values.text(name));
  if (amount === null) throw fieldError(name, t.late_refund.must_be_an_amount);
  return amount;
}
