/** Discount codes and returning customers, implemented independently from docs/wire.md for the model of test/model/model.ts. */
import { day, textIfAny, type Binding, type Body, type Books, type Code, type Partners } from './model-books.ts';
import { termsFor, type Applied } from './model-terms.ts';
import { codesOf, type Owner } from './terms.ts';

export const noPartners = (begin: number): Partners => ({
  codes: codesOf(begin).map((code) => ({ ...code, pausedAt: null, endedAt: null })),
  bindings: new Map(),
  uses: new Map(),
});

/** Who earns, and by what. `settle` is called if the report is recorded. */
/** With the terms that apply to this creator. */
export type Credit = {
  readonly terms: Applied;
  readonly owner: Owner;
  readonly by: 'click' | 'code' | 'customer';
  readonly settle: () => void;
};

type Named = { readonly known: readonly Code[]; readonly customer: string | null };

/** What a report names besides its click. Null: the store never counted more than clicks, so it names nothing. */
export function namedIn({ partners, versions }: Books, body: Body): Named | null {
  if (body['test'] === true || body['environment'] === 'test') return null;
  if (!versions.some(({ codes, returning }) => codes !== 'off' || returning !== null)) return null;
  const list = Array.isArray(body['discount_codes']) ? body['discount_codes'].map(String) : [];
  const texts = [textIfAny(body, 'discount_code') ?? '', ...list].map((text) => text.toUpperCase());
  const known = [...new Set(texts)].flatMap((text) => partners.codes.filter(({ name }) => name === text));
  return { known, customer: textIfAny(body, 'customer_id') };
}

/** A known code, or an earlier partner of the customer, whether they earn or not. */
export const hasAny = ({ partners }: Books, named: Named | null): boolean =>
  named !== null && named.known.length + (partners.bindings.get(named.customer ?? '') ?? []).length > 0;

/** Without `clickedAt`, no click counts. */
type Touch = { readonly at: number; readonly clickedAt: number | null; readonly isLead?: boolean };

/** Null: nothing earns. All clicks of the histories are the first creator's. */
export function credit(books: Books, named: Named | null, { at, clickedAt, isLead = false }: Touch): Credit | null {
  const { partners } = books;
  const { known, customer } = named ?? { known: [], customer: null };
  const termsOf = (owner: Owner) => termsFor(books, { owner, at });
  const code = known.find((one) => termsOf(one.owner).codes !== 'off' && counts(partners, one, { at, customer, isLead }));
  const kept = bindingFor(books, customer, at);
  const byClick = clickedAt === null ? null : creditOf('click', 'ada', termsFor(books, { owner: 'ada', at, clickedAt }));
  const byCode = code === undefined ? null : creditOf('code', code.owner, termsOf(code.owner), code);
  const byCustomer: Credit | null = kept && {
    owner: kept.owner,
    by: 'customer',
    terms: termsOf(kept.owner),
    settle: () => void (kept.uses += isLead ? 0 : 1),
  };

  function creditOf(by: Credit['by'], owner: Owner, terms: Applied, used?: Code): Credit {
    const settle = (): void => {
      const key = `${used?.name} ${customer}`;
      if (used && used.limit !== null && customer !== null && !isLead) partners.uses.set(key, (partners.uses.get(key) ?? 0) + 1);
      rememberCustomer(books, { owner, customer, at, terms });
    };
    return { by, owner, terms, settle };
  }

  // The terms of both must say so.
  const isBeforeClick = byClick?.terms.codes === 'before_click' && byCode?.terms.codes === 'before_click';
  const beatsClick = byClick !== null && byCode !== null && byCode.owner !== 'ada' && isBeforeClick;
  const touch = beatsClick ? byCode : (byClick ?? byCode);
  if (touch === null) return isLead ? null : byCustomer;
  const isKept = byCustomer !== null && byCustomer.terms.returning?.new_click === 'first_partner' && byCustomer.owner !== touch.owner;
  return isKept ? byCustomer : touch;
}

type Using = { readonly at: number; readonly customer: string | null; readonly isLead: boolean };

function counts({ uses }: Partners, code: Code, { at, customer, isLead }: Using): boolean {
  if (code.isShared || at < code.from || (code.until !== null && at >= code.until)) return false;
  if ((code.endedAt !== null && at >= code.endedAt) || (code.pausedAt !== null && at >= code.pausedAt)) return false;
  if (code.limit === null || isLead) return true;
  return customer !== null && (uses.get(`${code.name} ${customer}`) ?? 0) < code.limit;
}

/** The last partner of the customer before the moment. */
function partnerAt({ bindings }: Partners, customer: string | null, at: number): Binding | null {
  const before = (bindings.get(customer ?? '') ?? []).filter((binding) => binding.at <= at);
  const latest = Math.max(...before.map((binding) => binding.at));
  return before.findLast((binding) => binding.at === latest) ?? null;
}

/** The partner who earns a later order, within the limits of the terms at its time. */
function bindingFor(books: Books, customer: string | null, at: number): Binding | null {
  const binding = partnerAt(books.partners, customer, at);
  const returning = binding && termsFor(books, { owner: binding.owner, at }).returning;
  if (binding === null || returning === null) return null;
  if (at > binding.at + returning.days * day) return null;
  return returning.orders !== null && binding.uses >= returning.orders ? null : binding;
}

type Bound = { readonly terms: Applied; readonly owner: Owner; readonly customer: string | null; readonly at: number };

function rememberCustomer(books: Books, { owner, customer, at, terms: { returning } }: Bound): void {
  if (customer === null || returning === null) return;
  const earlier = books.partners.bindings.get(customer) ?? [];
  if (earlier.length > 0 && returning.new_click === 'first_partner') return;
  if (earlier.length > 0 && partnerAt(books.partners, customer, at)?.owner === owner) return;
  books.partners.bindings.set(customer, [...earlier, { owner, at, uses: 0 }]);
}

export type CodeStatus = 'active' | 'paused' | 'ended';

/** Changes a code, unless it has ended. */
export function changeCode({ codes }: Partners, { name, to, at }: { name: string; to: CodeStatus; at: number }): void {
  const code = codes.find((one) => one.name === name);
  if (code === undefined || code.endedAt !== null) return;
  if (to === 'ended') code.endedAt = at;
  // An end keeps the pause.
  if (to !== 'ended') code.pausedAt = to === 'paused' ? (code.pausedAt ?? at) : null;
}

/** The partners of each customer, in the order in which they were bound. */
export const bindingsIn = ({ bindings }: Partners): readonly string[] =>
  [...bindings].map(([customer, list]) => `${customer}: ${list.map(({ owner, uses }) => `${owner} ${uses}`).join(', ')}`).sort();
