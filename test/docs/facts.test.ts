import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { carriedDaysMax } from '../../src/billing/decide-issue.ts';
import { retryDays } from '../../src/billing/decide-charge.ts';
import { keptDays } from '../../src/clicks/partitions.ts';
import { holdReasons, commissionStates } from '../../src/commissions/commission.ts';
import { clickIdLength } from '../../src/contract/click-id.ts';
import { creatorAccounts } from '../../src/ledger/creator-posting.ts';
import { storeAccounts, ways } from '../../src/ledger/posting.ts';
import { mailDaysKept } from '../../src/notify/send-mails.ts';
import { payoutRhythm } from '../../src/payouts/calendar.ts';
import { invitationDays } from '../../src/people/invitations.ts';
import { newPasswordMinutes, signUpHours } from '../../src/people/one-time-links.ts';
import { passwordLength } from '../../src/people/password-rule.ts';
import { proofMinutes } from '../../src/people/proof.ts';
import { sessionDaysMax, sessionIdleDays } from '../../src/people/sessions.ts';
import { httpLimits } from '../../src/platform/http/limits.ts';
import { secondMs } from '../../src/platform/time.ts';
import { bodyDays } from '../../src/tracking/forget.ts';

/** Numbers and names in the guides are those of the code. Line breaks of a page mean nothing. */
const textOf = (page: string): string => readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ');
const security = textOf('docs/security.md');
const money = textOf('docs/money.md');

test.each([
  `Kept for ${keptDays} days`,
  `bodies of postbacks | ${bodyDays} days`,
  `mails | ${mailDaysKept} days`,
  `ends after ${sessionIdleDays} days without use and after ${sessionDaysMax} in any case`,
  `A recent proof**, ten minutes old`,
  `each works once: ${signUpHours} hours, ${invitationDays} days, ${newPasswordMinutes} minutes`,
  `password | ${passwordLength.least} to ${passwordLength.most} letters`,
  `\`rmc_\` and ${clickIdLength - 'rmc_'.length} letters`,
  `has ${httpLimits.receiveMs / secondMs} seconds to arrive, headers ${httpLimits.headerBytesMax / 1_024} KiB`,
])('docs/security.md says as the code does: %s', (words) => {
  expect(proofMinutes).toBe(10);
  expect(security).toContain(words);
});

test.each([
  `tried again after ${retryDays.slice(0, -1).join(', ')} and ${retryDays.at(-1)} days`,
  `for at most ${carriedDaysMax} days`,
  'On the **1st and the 15th**',
  holdReasons.map((reason) => `\`${reason}\``).join(', '),
])('docs/money.md says as the code does: %s', (words) => {
  expect(payoutRhythm.days).toEqual([1, 15]);
  expect(money).toContain(words);
});

test('docs/money.md has every state, every account and every way of a store’s money', () => {
  for (const name of [...commissionStates, ...storeAccounts, ...creatorAccounts]) expect(money).toContain(`| \`${name}\` |`);
  for (const { debit, credit } of Object.values(ways)) expect(money).toContain(`\`${debit} → ${credit}\``);
});

test('the tests that have a PostgreSQL of their own are those that CONTRIBUTING.md names', () => {
  const named = /a server of their own[^:]*:([^.]*(?:\.test\.ts[^.]*)*)\./
    .exec(textOf('CONTRIBUTING.md'))?.[1]
    ?.match(/[\w/-]+\.test\.ts/g);
  const isOwn = (file: string) => /\bnewDataDir\(|database-pair\.ts'/.test(readFileSync(file, 'utf8'));
  expect(named).toEqual(globSync('{src,test}/**/*.test.ts').filter(isOwn).toSorted());
});

test('each figure on the front page is one of docs/proof.md, which says where it comes from', () => {
  const [, block = ''] = /<!-- the figures:[^\n]*-->\n([^]*)<!-- the end of the figures -->/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const proof = readFileSync('docs/proof.md', 'utf8').replaceAll(/\s+/g, ' ');
  const told = block.split('\n').flatMap((line) => /^\| (?:.+?) \| (.*\d.*) \|$/.exec(line)?.[1] ?? []);
  expect(told.length).toBeGreaterThan(8);
  for (const words of told) {
    const ratios = [...words.matchAll(/([\d.]+) \(([\d.]+) to ([\d.]+)\)/g)].map(([, ...figures]) => `| ${figures.join(' | ')} |`);
    const asItStands = /^\d+ of \d+$/.test(words) ? `must notice: ${words} were caught` : `| ${words} |`;
    for (const figure of ratios.length > 0 ? ratios : [asItStands]) expect(proof).toContain(figure);
  }
});
