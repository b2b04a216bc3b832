import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { decideTeamChange, type TeamChange } from './decide-team-change.ts';

const [ada, ben, cyd] = [newId<'user'>(new Date()), newId<'user'>(new Date()), newId<'user'>(new Date())];
const one = [
  { userId: ada, role: 'owner' },
  { userId: ben, role: 'viewer' },
] as const;
const two = [...one, { userId: cyd, role: 'owner' }] as const;

test.each<[expected: string, what: string, change: TeamChange]>([
  ['not_found', 'a person who is not in the team', { team: one, userId: cyd, role: 'owner' }],
  ['not_found', 'a person in an empty team', { team: [], userId: ada, role: null }],
  ['last_owner', 'the only owner becomes a viewer', { team: one, userId: ada, role: 'viewer' }],
  ['last_owner', 'the only owner leaves', { team: one, userId: ada, role: null }],
  ['allowed', 'the only owner stays an owner', { team: one, userId: ada, role: 'owner' }],
  ['allowed', 'a viewer becomes an owner', { team: one, userId: ben, role: 'owner' }],
  ['allowed', 'a viewer leaves', { team: one, userId: ben, role: null }],
  ['allowed', 'one of two owners leaves', { team: two, userId: ada, role: null }],
])('%s: %s', (expected, _what, change) => {
  expect(decideTeamChange(change)).toBe(expected);
});
