import { expect, test } from 'vitest';
import { cents } from '../platform/money.ts';
import { decideLimit, type LimitAsked } from './decide-limit.ts';

const usual: LimitAsked = { current: cents(5_000), wanted: cents(9_000), asked: null, by: 'user_1', byUserId: 'u1' };
const asked = { above: cents(9_000), by: 'user_2', byUserId: 'u2' };

test.each<readonly [string, Partial<LimitAsked>, ReturnType<typeof decideLimit>]>([
  ['what it is already stays, whoever asked for something else', { wanted: cents(5_000), asked }, 'keep'],
  ['where no payout needs one, it stays so', { current: null, wanted: null }, 'keep'],
  ['a lower one is set at once', { wanted: cents(4_999) }, 'set'],
  ['the first one too, however high', { current: null, wanted: cents(9_000) }, 'set'],
  ['a higher one waits', {}, 'ask'],
  ['none at all waits', { wanted: null }, 'ask'],
  ['another one than was asked for waits anew', { wanted: cents(9_001), asked }, 'ask'],
  ['none is another one', { wanted: null, asked }, 'ask'],
  ['who asked agrees with nobody', { asked: { ...asked, by: 'user_1' } }, 'ask'],
  ['a key that nobody stands behind agrees to nothing', { asked, by: 'key_1', byUserId: null }, 'no_person'],
  ['nor does one’s own key', { asked, by: 'key_1', byUserId: 'u2' }, 'ask'],
  ['two people who want the same higher one have it', { asked }, 'set'],
  ['or the same none', { wanted: null, asked: { ...asked, above: null } }, 'set'],
  ['also where a key asked that nobody stands behind', { asked: { ...asked, by: 'key_2', byUserId: null } }, 'set'],
])('%s', (_what, facts, decision) => {
  expect(decideLimit({ ...usual, ...facts })).toBe(decision);
});
