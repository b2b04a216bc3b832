import { expect, test } from 'vitest';
import { decideSamePerson, type Traits } from './decide-same-person.ts';

const noTraits: Traits = { userIds: [], emails: [], payoutAccounts: [], taxIds: [], cards: [], networks: [] };
const ann: Traits = { userIds: ['a'], emails: ['ann@x'], payoutAccounts: ['1'], taxIds: ['t'], cards: ['f'], networks: ['n'] };
const bob: Traits = { userIds: ['b'], emails: ['bob@x'], payoutAccounts: ['2'], taxIds: ['u'], cards: ['g'], networks: ['m'] };

test('a team and a creator with nothing in common are two people', () => {
  expect(decideSamePerson(ann, bob)).toEqual([]);
  expect(decideSamePerson(noTraits, noTraits)).toEqual([]);
});

test.each([
  ['userIds', 'Same account here'],
  ['emails', 'Same email address'],
  ['payoutAccounts', 'Same payout account'],
  ['taxIds', 'Same tax ID'],
  ['cards', 'Same payment card as another store of this creator'],
  ['networks', 'Signed up from the same network on the same day'],
] as const)('one shared trait is enough: %s', (kind, what) => {
  expect(decideSamePerson(ann, { ...bob, [kind]: [...bob[kind], ...ann[kind]] })).toEqual([{ what, found: '1 in common', compared: null }]);
});

test('lists all shared traits, strongest first', () => {
  expect(decideSamePerson(ann, ann).map(({ what }) => what)).toEqual([
    'Same account here',
    'Same email address',
    'Same payout account',
    'Same tax ID',
    'Same payment card as another store of this creator',
    'Signed up from the same network on the same day',
  ]);
});
