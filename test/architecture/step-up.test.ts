import { expect, test } from 'vitest';
import type { ApiRoute } from '../../src/people/request-pipeline.ts';
import { wholeRoutes } from '../support/described-responses.ts';

/**
 * Every operation that changes something asks for a recent proof of identity, unless it is listed here with the reason. A new
 * operation either says `proof: true` or gets a line: what it can do at most to money, access, or where data goes.
 */
const withoutProof: Readonly<Record<string, string>> = {
  'POST /session': 'is itself a proof',
  'POST /session/proof': 'is itself a proof',
  'DELETE /session': 'ends access',
  'DELETE /sessions/:session': 'ends access',
  'POST /sign-ups': 'acts on no account; the link in the email is the proof',
  'POST /password-resets': 'acts on no account; the link in the email is the proof',
  'POST /one-time-links/read': 'the link is the proof',
  'POST /one-time-links/use': 'the link is the proof, and the second factor with it',
  'PATCH /profile': 'changes a name only',
  'PUT /password': 'asks for the current password, and for the code of the second factor',
  'POST /second-factor/confirm': 'ends what POST /second-factor began with a proof, and asks for a code',
  'POST /second-factor/replacement/confirm': 'ends what was begun with a proof, and asks for a code',
  'DELETE /profile/email': 'withdraws a change of address that is not confirmed yet',
  'POST /email-changes/read': 'the link is the proof',
  'POST /email-changes/confirm': 'ends what was begun with a proof; the link is the other half',
  'POST /email-changes/undo': 'the link sent to the former address is the proof',
  'DELETE /profile/api-keys/:key': 'ends access',
  'DELETE /profile/devices/:device': 'ends access',
  'POST /profile/end-all': 'ends access',
  'POST /stores': 'a new store has no money and no data',
  'PATCH /stores/:store': 'a name needs none; for another site the handler asks for a proof',
  'POST /stores/:store/archive': 'stops a store',
  'POST /stores/:store/unarchive': 'changes no key, terms or payment method',
  'POST /stores/:store/payment-method/setup': 'changes nothing until PUT /payment-method, which asks for a proof',
  'POST /stores/:store/backup-payment-method/setup': 'changes nothing until PUT /backup-payment-method, which asks for a proof',
  'POST /stores/:store/integration/disable': 'stops reports',
  'POST /stores/:store/integration/enable': 'the keys that report stay the same',
  'DELETE /stores/:store/postback-keys/:key': 'ends access, often in haste',
  'POST /stores/:store/test-links': 'test orders have no money',
  'POST /stores/:store/integration/check-page': 'reads a public page',
  'POST /stores/:store/lint': 'changes nothing',
  'POST /stores/:store/webhook-endpoints/:endpoint/test': 'sends no data, to an address that was set with a proof',
  'POST /stores/:store/webhook-endpoints/:endpoint/deliveries/:delivery/resend': 'sends to an address that was set with a proof',
  'POST /stores/:store/stripe/events/:event/retry': 'processes what Stripe signed, in the same way as before',
  'POST /stores/:store/shopify/install/complete': 'ends what the same person began with a proof, once',
  'POST /stores/:store/shopify/orders/:order/retry': 'reads the order in Shopify again, in the same way as before',
  'POST /stores/:store/programs': 'a draft pays nothing before it has terms',
  'PUT /stores/:store/programs/:program/questions': 'changes what creators are asked',
  'PUT /stores/:store/programs/:program/leaderboard': 'shows counts under names that members chose',
  'POST /stores/:store/programs/:program/members/:member/remove-display-name': 'the creator can choose another name',
  'PUT /stores/:store/programs/:program/page': 'changes a public page, not its terms',
  'PUT /stores/:store/programs/:program/page/logo': 'changes a public page, not its terms',
  'DELETE /stores/:store/programs/:program/page/logo': 'changes a public page, not its terms',
  'POST /stores/:store/programs/:program/assets': 'a text for the members of a program; no link or amount depends on it',
  'POST /stores/:store/programs/:program/asset-files': 'a file for the members of a program; no link or amount depends on it',
  'DELETE /stores/:store/programs/:program/assets/:asset': 'deletes what the store itself added',
  'POST /stores/:store/programs/:program/publish': 'offers terms that were set with a proof',
  'POST /stores/:store/programs/:program/pause': 'stops new commissions',
  'POST /stores/:store/programs/:program/simulate': 'changes nothing',
  'POST /stores/:store/programs/:program/simulate-lead': 'changes nothing',
  'POST /stores/:store/programs/:program/terms-preview': 'changes nothing',
  'POST /stores/:store/programs/:program/members': 'daily work; terms decide what a member earns',
  'PATCH /stores/:store/programs/:program/members/:member': 'daily work; terms decide what a member earns',
  'POST /stores/:store/creators/:creator/notes': 'writes text that only the team reads',
  'PATCH /stores/:store/creators/:creator/notes/:note': 'writes text that only the team reads',
  'DELETE /stores/:store/creators/:creator/notes/:note': 'deletes text that only the team reads',
  'POST /stores/:store/creator-invitations': 'daily work; terms decide what a member earns',
  'POST /stores/:store/creator-invitations/:invitation/resend': 'daily work; terms decide what a member earns',
  'DELETE /stores/:store/creator-invitations/:invitation': 'ends access',
  'POST /profile/notifications/:notification/read': 'marks as read',
  'POST /stores/:store/creator-messages': 'daily work; the email names the store, and reaches its own creators only',
  'POST /stores/:store/creator-imports': 'stores a file, and sends nothing',
  'PATCH /stores/:store/creator-imports/:import': 'changes how a file is read, and sends nothing',
  'POST /stores/:store/creator-imports/:import/start': 'daily work; for rows with a group the handler asks for a proof',
  'POST /stores/:store/creator-imports/:import/cancel': 'sends less',
  'POST /profile/program-invitations/:invitation/accept': 'joins a program, which has no cost; payouts need a payout method',
  'POST /profile/program-invitations/:invitation/decline': 'ends an invitation',
  'POST /stores/:store/programs/:program/groups': 'a new group has no members, and terms decide what its members earn',
  'PATCH /stores/:store/programs/:program/groups/:group': 'changes a name only',
  'POST /stores/:store/programs/:program/codes': 'daily work; terms decide whether codes earn',
  'PATCH /stores/:store/codes/:code': 'daily work; terms decide whether codes earn',
  'POST /stores/:store/programs/:program/links': "links lead to the store's own hosts",
  'POST /stores/:store/relationships/:relationship/review': 'daily review of commissions that terms set',
  'POST /stores/:store/commissions/approve': 'daily review, undone until it is billed',
  'POST /stores/:store/commissions/reject': 'daily review, undone by reopening',
  'POST /stores/:store/commissions/reopen': 'daily review',
  'POST /stores/:store/commissions/hold': 'stops money',
  'POST /stores/:store/commissions/release': 'daily review',
  'POST /stores/:store/commissions/undo': 'undoes a review',
  'POST /stores/:store/disputes/:dispute/accept': 'daily review',
  'POST /stores/:store/disputes/:dispute/decline': 'daily review',
  'POST /creators/:creator/disputes': 'asks the merchant to decide',
  'DELETE /stores/:store/invitations/:invitation': 'ends access',
  'DELETE /stores/:store/api-keys/:key': 'ends access, often in haste',
  'PUT /stores/:store/notifications': 'chooses which mails come; security mails always come',
  'POST /creators': 'a new creator has no money',
  'PATCH /creators/:creator': 'changes a name only',
  'POST /creators/:creator/memberships/:member/accept-terms': 'accepts terms that start for all creators anyway',
  'POST /creators/:creator/memberships/:member/leave': 'ends a membership',
  'PUT /creators/:creator/memberships/:member/leaderboard': 'shows a chosen name beside a count',
  'POST /creators/:creator/suspend': 'stops money',
  'PUT /creators/:creator/payout-minimum': "delays the creator's own payouts at most",
  'DELETE /creators/:creator/api-keys/:key': 'ends access, often in haste',
  'POST /creators/me': 'a new creator has no money',
  'POST /people/find': 'changes nothing',
  'POST /programs/:program/applications': 'asks the merchant to decide',
  'POST /creators/:creator/links': "links lead to the store's own hosts",
  'PUT /creators/:creator/notifications': 'chooses which mails come; security mails always come',
  'DELETE /billing-settings/fee-rise': 'keeps the fee lower',
  'POST /payouts/:payout/refuse': 'stops money',
  'POST /stores/:store/view': 'shows what an operator sees anyway, and is logged for the store',
  'POST /creators/:creator/view': 'shows what an operator sees anyway, and is logged for the creator',
  'DELETE /operator-invitations/:invitation': 'ends access',
  'DELETE /operator-approvals/:invitation': 'refuses access',
  'DELETE /api-keys/:key': 'ends access, often in haste',
  'POST /ledger/verify': 'changes nothing',
  'POST /risk/cases/:case/keep': 'keeps money back',
  'POST /sandbox/clock': 'exists in the sandbox only, where no money is real',
};

/** What only reads asks for a proof where it hands out bank accounts, mails, or everything about a person. */
const readsWithProof = [
  'GET /creators/:creator/export',
  'GET /mails/:mail',
  'GET /payouts',
  'GET /people/:user/export',
  'GET /profile/export',
];

/** In live mode API keys may call these although a person must prove who they are. The scope, or the permission, was given with a proof. */
const openToLiveKeys: Readonly<Record<string, string>> = {
  'POST /billing-runs': 'billing:run',
  'POST /payout-runs': 'payouts:run',
  'POST /stores/:store/postback-keys': 'permitted',
  'PUT /stores/:store/stripe': 'permitted',
  'DELETE /stores/:store/stripe': 'permitted',
  'PUT /stores/:store/shopify': 'permitted',
  'DELETE /stores/:store/shopify': 'permitted',
  'POST /stores/:store/shopify/install': 'permitted',
  'POST /stores/:store/shopify/codes': 'permitted',
  'POST /stores/:store/webhook-endpoints': 'permitted',
  'PATCH /stores/:store/webhook-endpoints/:endpoint': 'permitted',
  'DELETE /stores/:store/webhook-endpoints/:endpoint': 'permitted',
  'POST /stores/:store/webhook-endpoints/:endpoint/rotate-secret': 'permitted',
  'PATCH /stores/:store/programs/:program': 'permitted',
  'POST /stores/:store/programs/:program/terms': 'permitted',
  'POST /stores/:store/programs/:program/terms/cancel': 'permitted',
  'PUT /stores/:store/programs/:program/members/:member/group': 'permitted',
  'POST /stores/:store/creator-imports/:import/move-members': 'permitted',
  'POST /stores/:store/customers/export': 'permitted',
  'POST /stores/:store/customers/erase': 'permitted',
};

const nameOf = ({ method, path }: ApiRoute): string => `${method} ${path.replace('/api/v1', '')}`;
const isChange = ({ method }: ApiRoute): boolean => method !== 'GET';
const isGuarded = ({ endpoint }: ApiRoute): boolean => endpoint.proof !== false;

test('every operation that changes something asks for a recent proof, or says here why it needs none', () => {
  const unproved = wholeRoutes.filter((route) => isChange(route) && !isGuarded(route)).map(nameOf);
  expect(unproved.toSorted()).toEqual(Object.keys(withoutProof).toSorted());
});

test('what hands out bank accounts, mails or everything about a person asks for a recent proof', () => {
  expect(
    wholeRoutes
      .filter((route) => !isChange(route) && isGuarded(route))
      .map(nameOf)
      .toSorted(),
  ).toEqual(readsWithProof);
});

test('an API key in live mode does nothing that asks a person for a proof, but what is named here', () => {
  const open = wholeRoutes.filter((route) => isGuarded(route) && route.endpoint.liveKeys !== 'refused');
  expect(Object.fromEntries(open.map((route) => [nameOf(route), route.endpoint.liveKeys]))).toEqual(openToLiveKeys);
});
