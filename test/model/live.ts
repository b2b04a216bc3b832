import type { KeyRing } from '../../src/clicks/signing-keys.ts';
import { sql } from '../../src/db/sql.ts';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { publicId, type Id } from '../../src/core/ids.ts';
import { dayMs, hourMs, minuteMs } from '../../src/core/time.ts';
import type { Json, Merchant } from '../support/merchant.ts';
import type { ClickName, Command, History, Named, RefundedLines, SoldLines, When } from './commands.ts';
import type { Body, Expected } from './model-books.ts';
import { createModel, type Model, type Path, type Request } from './model.ts';
import {
  addBonusTo,
  changeCode,
  earnedCents,
  moveCreator,
  issue,
  mintClick,
  moneyOf,
  payAll,
  createModelStore,
  release,
  reviewCommissions,
  suspend,
  type Minted,
  type ModelStore,
} from './model-store.ts';
import { acceptTerms, awardGoals, cancelTerms, changeTerms } from './store-terms.ts';

const wirePaths: Readonly<Record<Path, string>> = {
  conversions: 'conversions',
  reversals: 'reversals',
  relationships: 'v2/recurring/relationships',
  'billing-events': 'v2/recurring/billing-events',
  'invoice-reversals': 'v2/recurring/reversals',
  ends: 'v2/recurring/relationships/end',
  'order-refunds': 'v2/orders/refunds',
  'invoice-refunds': 'v2/recurring/invoices/refunds',
  leads: 'v2/leads',
  'lead-reversals': 'v2/leads/reversals',
};

/** What all histories share: one running service, and its keys for creating click ids. */
export type Stage = {
  readonly merchant: Merchant;
  readonly ring: KeyRing;
  readonly strangersClick: string;
  readonly tally: (what: string) => void;
};

type Life = {
  readonly merchant: Merchant;
  readonly ring: KeyRing;
  readonly store: ModelStore;
  readonly model: Model;
  readonly clicks: Map<string, Minted>;
  readonly clickState: Readonly<Record<'another' | 'five days old' | 'expired' | 'long ago' | 'test' | 'of another store', string>>;
  readonly sent: Array<{ readonly request: Request; readonly json: Json }>;
  readonly eventIds: string[];
  readonly refundIds: string[];
  readonly made: { bursts: number; bonuses: number };
};

/** Runs one history on a new store and on the model. Returns a description of the first difference, or null. */
export async function live(stage: Stage, { commands, ...beginning }: History): Promise<string | null> {
  const { merchant } = stage;
  const life = await begin(stage, beginning);
  for (const [place, command] of commands.entries()) {
    const difference = await step(life, command);
    if (difference !== null) return `command ${place} ${JSON.stringify(command)}: ${difference}`;
  }
  // Compares money once at the end: if it differs, shrinking finds the command that causes it.
  const real = await moneyOf(merchant, life.store);
  const money = life.model.money();
  return JSON.stringify(real) === JSON.stringify(money)
    ? null
    : `money\n  actual   ${JSON.stringify(real)}\n  expected ${JSON.stringify(money)}`;
}

async function begin(
  { merchant, ring, strangersClick, tally }: Stage,
  { terms, termsBeginDaysAgo }: Omit<History, 'commands'>,
): Promise<Life> {
  const start = merchant.service.platform.clock.now();
  const termsFrom = new Date(start.getTime() - termsBeginDaysAgo * dayMs);
  const store = await createModelStore(merchant, { terms, termsFrom });
  const ago = (ms: number) => mintClick(merchant, ring, { ...store, kind: 'referral', at: new Date(start.getTime() - ms) });
  const state = {
    another: await ago(3 * hourMs),
    'five days old': await ago(5 * dayMs),
    expired: await ago(20 * dayMs),
    'long ago': await ago(45 * dayMs),
    test: await mintClick(merchant, ring, { ...store, kind: 'test', at: start }),
  };
  const clicks = new Map(Object.values(state).map((click) => [click.text, click]));
  const names = {
    another: state.another.text,
    'five days old': state['five days old'].text,
    expired: state.expired.text,
    'long ago': state['long ago'].text,
    test: state.test.text,
    'of another store': strangersClick,
  };
  const model = createModel({ clicks, terms, termsFrom: termsFrom.getTime(), begin: store.createdAt, tally });
  return {
    merchant,
    ring,
    store,
    model,
    clicks,
    clickState: names,
    sent: [],
    eventIds: [],
    refundIds: [],
    made: { bursts: 0, bonuses: 0 },
  };
}

/** Returns null if the service responded as the model expects. */
async function step(life: Life, command: Command): Promise<string | null> {
  const { merchant, store, model } = life;
  switch (command.do) {
    case 'wait':
    case 'wait for the next month':
      await wait(merchant, command);
      return null;
    case 'suspend':
    case 'unsuspend':
      await suspend(merchant, store, command.do === 'suspend');
      model.suspend(command.do === 'suspend');
      return null;
    case 'new terms':
    case 'accept terms':
    case 'cancel terms':
      return stepOfTerms(life, command);
    case 'award goals': {
      const { at, came } = await awardGoals(merchant, store);
      return model.awardGoals(at, came);
    }
    case 'change code':
      model.changeCode(command.code, command.to, await changeCode(merchant, store, command));
      return null;
    case 'move':
      model.move(command.owner, command.to, await moveCreator(merchant, store, command));
      return null;
    case 'issue':
      model.issue(await issue(merchant, store));
      return null;
    case 'pay':
      return model.pay(await payAll(merchant, store));
    case 'release':
      await release(merchant, store);
      model.release();
      return null;
    case 'approve':
    case 'reject':
    case 'reopen': {
      const order = command.order === null ? null : `order-${command.order}`;
      model.reviewAll(command.do, order, await reviewCommissions(merchant, store, { do: command.do, order }));
      return null;
    }
    case 'bonus': {
      const bonus = { ...command, text: `bonus-${(life.made.bonuses += 1)}` };
      model.addBonus({ ...bonus, at: await addBonusTo(merchant, store, bonus) });
      return null;
    }
    case 'burst':
      return burst(life, command);
    case 'review':
      return review(life, `sub-${command.relationship}`, command.decision);
    case 'resend': {
      const earlier = life.sent[command.which % Math.max(1, life.sent.length)];
      return earlier ? send(life, earlier.request) : null;
    }
    default:
      return send(life, await requestOf(life, command));
  }
}

type TermsCommand = Extract<Command, { readonly do: 'new terms' | 'accept terms' | 'cancel terms' }>;

async function stepOfTerms({ merchant, store, model }: Life, command: TermsCommand): Promise<string | null> {
  if (command.do === 'new terms') {
    const { wanted, came } = await changeTerms(merchant, store, command);
    return model.newTerms(wanted, came);
  }
  const version = model.versions();
  if (command.do === 'accept terms') {
    const { status, at } = await acceptTerms(merchant, store, { owner: command.owner, version });
    const wanted = model.accept(command.owner, at);
    return status === wanted ? null : `the acceptance answered ${status}, not ${wanted}`;
  }
  const { status, at } = await cancelTerms(merchant, store, version);
  const wanted = model.cancelTerms(at);
  return status === wanted ? null : `the cancellation answered ${status}, not ${wanted}`;
}

async function send(life: Life, request: Request): Promise<string | null> {
  return settle(life, request, await postUntilAvailable(life, request));
}

type Answered = Awaited<ReturnType<typeof postUntilAvailable>>;

function settle(life: Life, request: Request, { response, wasUnavailable }: Answered): string | null {
  const difference = compare(life, request, response);
  // A postback that was answered with 503 may have been recorded, and then the response is that of a repeat.
  return difference !== null && wasUnavailable ? compare(life, request, response) : difference;
}

const triesMax = 5;

/**
 * Equal orders, of which a budget may cover only some: which ones depends on the order in which they were recorded, so the model judges
 * those first that earned more.
 */
async function burst(life: Life, { orders, amount }: Extract<Command, { readonly do: 'burst' }>): Promise<string | null> {
  const { merchant, store, made } = life;
  made.bursts += 1;
  const occurred_at = new Date(merchant.service.platform.clock.now()).toISOString();
  const fields = { currency: 'USD', order_subtotal_cents: amount, line_items: linesOf('a and b', amount), occurred_at };
  const requests: Request[] = [];
  for (let place = 0; place < orders; place += 1) {
    const body = { ...fields, order_id: `burst-${made.bursts}-${place}`, click_id: await clickOf(life, 'fresh') };
    requests.push({ path: 'conversions', body });
  }
  const answers = await Promise.all(requests.map(async (request) => ({ request, answer: await postUntilAvailable(life, request) })));
  const earned = await earnedCents(merchant, store);
  const earnedOf = ({ request: { body } }: (typeof answers)[number]): number => earned.get(String(body['order_id'])) ?? 0;
  for (const { request, answer } of answers.toSorted((one, other) => earnedOf(other) - earnedOf(one))) {
    const difference = settle(life, request, answer);
    if (difference !== null) return difference;
  }
  return null;
}

async function wait({ service }: Merchant, command: Extract<Command, { readonly do: 'wait' | 'wait for the next month' }>): Promise<void> {
  const { database, clock } = service.platform;
  const now = clock.now();
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const until = (command.do === 'wait' ? now.getTime() : nextMonth) + command.hours * hourMs;
  if (until > now.getTime()) await moveSandboxClock(database, clock, new Date(until));
}

/** A busy machine may answer 503. The documented reaction is to send the same body again. */
async function postUntilAvailable(life: Life, request: Request) {
  for (let tries = 1; ; tries += 1) {
    const response = await postTo(life, request);
    if (response.json.reason !== 'temporarily_unavailable' || tries === triesMax) return { response, wasUnavailable: tries > 1 };
  }
}

/** Lets the model judge the request. Returns null if the response is as expected. */
function compare(life: Life, request: Request, response: Came): string | null {
  const number = life.sent.length;
  const now = life.merchant.service.platform.clock.now().getTime();
  const expected = life.model.judge(request, now, number);
  life.sent.push({ request, json: response.json });
  const real = {
    status: response.status,
    reason: response.json.reason,
    ids: idsOf(response.json),
    isReplay: response.headers.get('idempotent-replayed') === 'true',
    remaining: response.json.remaining_cents,
  };
  const ids = expected.ids.map((name) => [name, expected.like === undefined ? null : life.sent[expected.like]?.json[name]] as const);
  const wanted = {
    status: expected.status,
    reason: expected.reason,
    ids: Object.fromEntries(ids),
    isReplay: isReplay(request, expected),
    remaining: expected.remaining,
  };
  const seen = {
    ...real,
    ids: Object.fromEntries(Object.entries(real.ids).map(([name, id]) => [name, expected.like === undefined ? null : id])),
  };
  return JSON.stringify(seen) === JSON.stringify(wanted)
    ? null
    : `${JSON.stringify(request)}\n  answered ${response.status} ${response.text}\n  expected ${JSON.stringify(wanted)}`;
}

/** A first reversal repeats the identifiers of the order or lead, and is not a replay. */
const isReplay = ({ path }: Request, { like, reason }: Expected): boolean =>
  like !== undefined && !((path === 'reversals' || path === 'lead-reversals') && reason === 'recorded');

const idNames = ['transaction_id', 'conversion_id', 'binding_id', 'event_id', 'refund_id', 'lead_id'] as const;
const idsOf = (json: Json): Readonly<Record<string, string>> =>
  Object.fromEntries(idNames.flatMap((name) => (json[name] === undefined ? [] : [[name, json[name]]])));

type Came = { readonly status: number; readonly text: string; readonly json: Json; readonly headers: Headers };

async function postTo({ merchant, store }: Life, { path, body }: Request): Promise<Came> {
  const url = `${merchant.service.url}/api/partner-network/postbacks/${store.trackingKey}/${wirePaths[path]}`;
  const headers = { authorization: `Bearer ${store.postbackKey}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text), headers: response.headers };
}

async function review({ merchant, store, model }: Life, name: string, decision: 'accept' | 'decline'): Promise<string | null> {
  const expected = model.review(name, decision);
  if (expected === null) return null;
  const row = await merchant.database.one<{ bindingId: Id<'bind'> }>(sql`
    select binding_id from relationships where store_id = ${store.storeId} and relationship_id = ${name}`);
  const path = `/stores/${store.publicStoreId}/relationships/${publicId('bind', row.bindingId)}/review`;
  const { status, text } = await merchant.api('POST', path, { decision });
  const wanted = expected === 'settled' ? 200 : 409;
  return status === wanted ? null : `the review answered ${text}, not ${wanted}`;
}

type Reported = Extract<
  Command,
  { readonly do: 'convert' | 'reverse' | 'bind' | 'bill' | 'refund' | 'refund order' | 'refund invoice' | 'end' | 'lead' | 'reverse lead' }
>;

async function requestOf(life: Life, command: Reported): Promise<Request> {
  const now = life.merchant.service.platform.clock.now().getTime();
  const occurred_at = timeOf(command.when, now);
  switch (command.do) {
    case 'convert': {
      const { amount, eligible, currency, country, isTest } = command;
      const fields = { order_id: `order-${command.order}`, click_id: await clickOf(life, command.click), currency, occurred_at };
      const whole = Math.min(eligible ?? amount, amount);
      return {
        path: 'conversions',
        body: defined({
          ...fields,
          order_subtotal_cents: amount,
          eligible_amount_cents: eligible ?? undefined,
          line_items: linesOf(command.lines, whole),
          ...namedOf(command),
          country: country ?? undefined,
          test: isTest ? true : undefined,
        }),
      };
    }
    case 'reverse':
      return { path: 'reversals', body: defined({ order_id: `order-${command.order}`, occurred_at, reason: command.reason ?? undefined }) };
    case 'lead':
    case 'reverse lead':
      return leadRequest(life, command, occurred_at);
    case 'bind':
      return bindRequest(life, command, occurred_at);
    case 'bill': {
      const { product, price, currency, amount, eligible, state } = command;
      const body = {
        ...commonOf(life, command),
        invoice_id: `in-${command.invoice}`,
        payment_state: state,
        amount_paid_minor_units: amount,
        eligible_amount_minor_units: eligible ?? undefined,
        product_id: product,
        price_id: price ?? undefined,
        currency,
        occurred_at,
      };
      return { path: 'billing-events', body: defined(body) };
    }
    case 'refund': {
      const body = { ...commonOf(life, command), invoice_id: `in-${command.invoice}`, occurred_at, reason: command.reason ?? undefined };
      return { path: 'invoice-reversals', body: defined(body) };
    }
    case 'refund order':
    case 'refund invoice':
      return partialRefund(life, command, occurred_at);
    case 'end':
      return { path: 'ends', body: defined({ ...commonOf(life, command), occurred_at, reason: command.reason ?? undefined }) };
  }
}

async function bindRequest(life: Life, command: Extract<Command, { readonly do: 'bind' }>, occurred_at: unknown): Promise<Request> {
  const { product, price, currency } = command;
  const click_id = await clickOf(life, command.click);
  return {
    path: 'relationships',
    body: defined({
      ...commonOf(life, command),
      ...namedOf(command),
      click_id,
      product_id: product,
      price_id: price ?? undefined,
      currency,
      occurred_at,
    }),
  };
}

/** A single code in the field for one, and several in the list. */
const namedOf = ({ codes, customer }: Named) => ({
  discount_code: codes.length === 1 ? codes[0] : undefined,
  discount_codes: codes.length > 1 ? codes : undefined,
  customer_id: customer === null ? undefined : `customer-${customer}`,
});

type LeadCommand = Extract<Command, { readonly do: 'lead' | 'reverse lead' }>;

async function leadRequest(life: Life, command: LeadCommand, occurred_at: unknown): Promise<Request> {
  const lead_id = `lead-${command.lead}`;
  if (command.do === 'reverse lead')
    return { path: 'lead-reversals', body: defined({ lead_id, occurred_at, reason: command.reason ?? undefined }) };
  const { discount_code, customer_id } = namedOf({ ...command, codes: command.codes.slice(0, 1) });
  const click_id = await clickOf(life, command.click);
  return { path: 'leads', body: defined({ lead_id, kind: command.kind, click_id, discount_code, customer_id, occurred_at }) };
}

type PartialRefund = Extract<Command, { readonly do: 'refund order' | 'refund invoice' }>;

function partialRefund(life: Life, command: PartialRefund, occurred_at: unknown): Request {
  const fields = { refund_id: refundIdOf(life, command.refund), occurred_at, reason: command.reason ?? undefined };
  if (command.do === 'refund order') {
    const refunded = refundedOf(command.lines, command.amount);
    return { path: 'order-refunds', body: defined({ ...fields, order_id: `order-${command.order}`, ...refunded }) };
  }
  const { relationship, environment, amount, invoice } = command;
  const invoiceFields = { relationship_id: `sub-${relationship}`, environment, invoice_id: `in-${invoice}`, amount_minor_units: amount };
  return { path: 'invoice-refunds', body: defined({ ...fields, ...invoiceFields }) };
}

const defined = (body: Body): Body => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

function commonOf(life: Life, { event, relationship, environment }: Extract<Command, { readonly event: number | null }>) {
  const known = event === null ? undefined : life.eventIds[event % Math.max(1, life.eventIds.length)];
  const event_id = known ?? `event-${life.eventIds.length}`;
  if (known === undefined) life.eventIds.push(event_id);
  return { event_id, relationship_id: `sub-${relationship}`, environment };
}

function refundIdOf({ refundIds }: Life, refund: number | null): string {
  const known = refund === null ? undefined : refundIds[refund % Math.max(1, refundIds.length)];
  const id = known ?? `refund-${refundIds.length}`;
  if (known === undefined) refundIds.push(id);
  return id;
}

function refundedOf(lines: RefundedLines, amount: number): Body {
  if (lines === 'none') return { amount_cents: amount };
  if (lines === 'a' || lines === 'c') return { line_items: [{ product_id: lines, amount_minor_units: amount }] };
  if (lines === 'b, with a unit') return { line_items: [{ product_id: 'b', amount_minor_units: amount, quantity: 1 }] };
  const half = Math.floor(amount / 2);
  return {
    amount_cents: amount,
    line_items: [
      { product_id: 'a', amount_minor_units: half, quantity: 1 },
      { product_id: 'b', amount_minor_units: amount - half, quantity: 0 },
    ],
  };
}

function timeOf(when: When, now: number): string | undefined {
  if (when === 'absent') return undefined;
  if (when === 'unreadable') return 'yesterday';
  return new Date(now + plusMs[when]).toISOString();
}
const plusMs: Readonly<Record<Exclude<When, 'absent' | 'unreadable'>, number>> = {
  now: 0,
  'two hours ago': -2 * hourMs,
  'nine days ago': -9 * dayMs,
  'eighteen days ago': -18 * dayMs,
  'forty days ago': -40 * dayMs,
  ahead: 3 * minuteMs,
  'too far ahead': 9 * minuteMs,
  'too old': -400 * dayMs,
};

async function clickOf({ merchant, ring, store, clicks, clickState: state }: Life, name: ClickName): Promise<string | undefined> {
  if (name === 'absent') return undefined;
  if (name === 'forged') return 'rmc_forged';
  if (name !== 'fresh' && name !== 'of today') return state[name];
  // A fresh one is so old that most earlier events of the history are after the click.
  const ageMs = name === 'fresh' ? 10 * dayMs : hourMs;
  const at = new Date(merchant.service.platform.clock.now().getTime() - ageMs);
  const click = await mintClick(merchant, ring, { ...store, kind: 'referral', at });
  clicks.set(click.text, click);
  return click.text;
}

/** Lines that sum to the eligible amount; a line needs all of its fields. */
function linesOf(kind: SoldLines, eligible: number): readonly object[] | undefined {
  if (kind === 'none') return undefined;
  if (kind === 'a') return [{ product_id: 'a', amount_minor_units: eligible, quantity: 1 }];
  const half = Math.floor(eligible / 2);
  const [first, second] = kind === 'shirts' ? ['shirt-red', 'shirt-blue'] : ['a', 'b'];
  return [
    { product_id: first, amount_minor_units: half, quantity: 1 },
    { product_id: second, amount_minor_units: eligible - half, quantity: 2 },
  ];
}
