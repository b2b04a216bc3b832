import { randomBytes } from 'node:crypto';
import { createApiKey } from '../../src/people/api-keys.ts';
import { creatorParty } from '../../src/people/party.ts';
import { insertUser } from '../../src/people/users-sql.ts';
import { readEmail } from '../../src/notify/stored-email.ts';
import { listEmails } from '../../src/notify/emails-sql.ts';
import { newId, readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { realNow } from '../../src/core/time.ts';
import type { ApiResponse, Json, Merchant } from './merchant.ts';
import { reviewerOf } from './review.ts';
import type { TestService } from './service.ts';
import { subscriberOf } from './subscriber.ts';
import { hashWeakly } from './weak-password-hash.ts';

/** A client of the management API: a browser with a session, a program with a key, or an anonymous client. */
export type ApiClient = (method: string, path: string, body?: unknown) => Promise<ApiResponse>;

export const password = 'a long and good password';

/** Bytes are sent as a file, everything else as JSON. */
function contentOf(headers: Readonly<Record<string, string>>, body: unknown) {
  if (body === undefined) return { headers, body: null };
  if (body instanceof Uint8Array)
    return { headers: { ...headers, 'content-type': 'application/octet-stream' }, body: new Uint8Array(body) };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const clientOf =
  ({ url }: TestService, headers: () => Readonly<Record<string, string>>): ApiClient =>
  async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, { method, ...contentOf(headers(), body) });
    const text = await response.text();
    return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : null, headers: response.headers };
  };

export const anonymousClient = (service: TestService): ApiClient => clientOf(service, () => ({}));
export const clientWithKey = (service: TestService, key: string): ApiClient =>
  clientOf(service, () => ({ authorization: `Bearer ${key}` }));

export type SignedInPerson = { readonly ask: ApiClient; readonly email: string; readonly password: string };

/** A person with an account and nothing else, signed in. */
export async function createPerson(service: TestService, name = 'Nora Newcomer'): Promise<SignedInPerson> {
  const now = realNow();
  const email = `${randomBytes(6).toString('hex')}@people.example`;
  const passwordHash = await hashWeakly(password);
  await insertUser(service.platform.database, { userId: newId<'user'>(now), email, name, passwordHash, isOperator: false, now });
  return { ask: await signIn(service, { email, password }), email, password };
}

type Login = { readonly email: string; readonly password: string };

export async function signIn(service: TestService, login: Login): Promise<ApiClient> {
  const headers = await sessionHeaders(service, login);
  return clientOf(service, () => headers);
}

/** The headers that the browser of a newly signed-in person sends with each request. */
export async function sessionHeaders(service: TestService, login: Login): Promise<Readonly<Record<string, string>>> {
  const page = { origin: service.platform.config.baseUrl, 'sec-fetch-site': 'same-origin' };
  const response = await clientOf(service, () => page)('POST', '/session', login);
  invariant(response.status === 200, `the sign-in succeeds: ${response.text}`);
  return { ...page, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

export type SignedInCreator = SignedInPerson & { readonly id: string };

/** A person who registered as a creator. */
export async function createCreatorPerson(service: TestService, name?: string): Promise<SignedInCreator> {
  const person = await createPerson(service, name);
  const response = await person.ask('POST', '/creators/me', {});
  invariant(response.status === 201, `the registration as a creator succeeds: ${response.text}`);
  return { ...person, id: response.json.id };
}

export async function creatorKeyClient({ service }: Merchant, creator: string): Promise<ApiClient> {
  const creatorId = readPublicId('crt', creator);
  invariant(creatorId !== null, 'a creator has an ID');
  const newKey = { party: creatorParty(creatorId), name: 'test', scopes: ['creator:read', 'creator:write'] as const, madeBy: null };
  const { key } = await createApiKey(service.platform.database, newKey);
  return clientWithKey(service, key);
}

/** The emails to a person, newest first; without sign-in notices, which tests cause all the time. */
export async function emailsTo(
  { platform }: TestService,
  email: string,
): Promise<ReadonlyArray<{ readonly subject: string; readonly text: string }>> {
  const rows = (await listEmails(platform.database, null, { after: null, limit: 200 })).filter(
    ({ toAddress, subject }) => toAddress === email && !subject.startsWith('New sign-in'),
  );
  const emails = await Promise.all(rows.map(({ mailId }) => readEmail(platform.database, platform.secrets, mailId)));
  return emails.flatMap((mail) => mail ?? []);
}

/** A creator with a link in the seed's program, through the usual steps: apply, be approved, create the link. */
export async function joinProgram(merchant: Merchant, creator: SignedInCreator): Promise<{ readonly member: string; readonly link: Json }> {
  const { world, api } = merchant;
  const applied = await creator.ask('POST', `/programs/${world.program.id}/applications`, {});
  invariant(applied.status === 201, `the application succeeds: ${applied.text}`);
  const approved = await api('PATCH', `/stores/${world.store.id}/programs/${world.program.id}/members/${applied.json.id}`, {
    status: 'approved',
  });
  invariant(approved.status === 200, `the approval succeeds: ${approved.text}`);
  const link = await creator.ask('POST', `/creators/${creator.id}/links`, { program_id: world.program.id });
  invariant(link.status === 201, `the link is created: ${link.text}`);
  return { member: applied.json.id, link: link.json };
}

/** The seed's creator with a sale in each possible state, the first of them paid out. */
export async function payOutCreator(merchant: Merchant): Promise<{ readonly payout: string }> {
  const { world, api } = merchant;
  const reviewer = reviewerOf(merchant);
  const paid = await reviewer.sale({ order_subtotal_cents: 500_000 });
  await reviewer.results('approve', [paid.commissionId]);
  await merchant.moveClock('31d');
  await api('POST', '/billing-runs', { store_id: world.store.id, minimum_cents: 0 });
  await merchant.moveClock('10m');
  const run = await api('POST', '/payout-runs', { creator_id: world.creator.id, minimum_cents: 0 });
  invariant(run.status === 201 && run.json.payouts.length === 1, `the creator is paid: ${run.text}`);
  const [approved, rejected, held] = [await reviewer.sale(), await reviewer.sale(), await reviewer.sale()];
  await reviewer.sale();
  await reviewer.results('approve', [approved.commissionId]);
  await reviewer.results('reject', [rejected.commissionId], { reason: 'The order was cancelled by telephone' });
  await reviewer.results('hold', [held.commissionId], { reason: 'fraud_review' });
  const subscriber = subscriberOf(merchant);
  await subscriber.bind();
  await subscriber.reportInvoice();
  return { payout: run.json.payouts[0].id };
}
