/* Adapter of the conformance vectors for the Node package (packages/conformance/README.md). */
import { createInterface } from 'node:readline';
import { stdin, stdout } from 'node:process';
import { centsFromDecimal } from '../../sdk/src/cents.ts';
import { clickFromCookie } from '../../sdk/src/click.ts';
import type { Limits, Result } from '../../sdk/src/send.ts';
import { createTributary, type Tributary } from '../../sdk/src/tributary.ts';

const camelCase = (name: string): string => name.replace(/_[a-z]/g, (match) => match.slice(1).toUpperCase());
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rename(name), name === 'metadata' ? member : renamed(member, rename)]),
  );
}

function reportOf({ conversions, subscriptions, leads }: Tributary, operation: unknown): (...fields: never) => Promise<Result> {
  if (operation === 'conversion') return conversions.record;
  if (operation === 'reversal') return conversions.reverse;
  if (operation === 'order_refund') return conversions.refund;
  if (operation === 'relationship') return subscriptions.bind;
  if (operation === 'billing_event') return subscriptions.bill;
  if (operation === 'invoice_refund') return subscriptions.refundInvoice;
  if (operation === 'lead') return leads.report;
  if (operation === 'lead_reversal') return leads.reverse;
  return operation === 'invoice_reversal' ? subscriptions.reverseInvoice : subscriptions.end;
}

/** The call comes from JSON, so the compiler cannot know its fields: the package checks them itself. */
async function answer(call: Readonly<Record<string, never>>): Promise<unknown> {
  if (call['call'] === 'cookie') return { click_id: clickFromCookie(call['header']) };
  if (call['call'] === 'cents') return { cents: centsOrNull(call['amount'] ?? '') };
  const given: Partial<Limits> | undefined = call['limits'];
  const tributary = createTributary({
    baseUrl: call['base_url'] ?? '',
    trackingKey: call['tracking_key'] ?? '',
    postbackKey: call['postback_key'] ?? '',
    limits: Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [camelCase(name), value])),
  });
  const result: Result = await Reflect.apply(reportOf(tributary, call['operation']), undefined, [renamed(call['fields'], camelCase)]);
  const field = 'field' in result && result.field !== null ? snakeCase(result.field) : null;
  return { ...Object.fromEntries(Object.entries(result).map(([name, value]) => [snakeCase(name), value])), field };
}

function centsOrNull(amount: string): number | null {
  try {
    return centsFromDecimal(amount);
  } catch {
    return null;
  }
}

for await (const line of createInterface({ input: stdin })) stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
