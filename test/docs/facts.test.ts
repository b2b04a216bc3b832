import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { carriedDaysMax } from '../../src/billing/decide-issue.ts';
import { retryDays } from '../../src/billing/decide-charge.ts';
import { clickRetentionDays } from '../../src/clicks/partitions.ts';
import { holdReasons } from '../../src/commissions/commission.ts';
import { commissionStates } from '../../src/commissions/commission-states.ts';
import { clickIdLength } from '../../src/contract/click-id.ts';
import { creatorAccounts, entryTransfers, payoutTransfers } from '../../src/ledger/creator-postings.ts';
import { storeAccounts, storeTransfers, swapped } from '../../src/ledger/store-postings.ts';
import { emailRetentionDays } from '../../src/notify/send-emails.ts';
import { payoutSchedule } from '../../src/payouts/decide-payout.ts';
import { invitationDays } from '../../src/people/invitations.ts';
import { newPasswordMinutes, signUpHours } from '../../src/people/one-time-links.ts';
import { passwordLength } from '../../src/people/passwords.ts';
import { proofMinutes } from '../../src/people/decide-proof.ts';
import { httpLimits } from '../../src/http/limits.ts';
import { secondMs } from '../../src/core/time.ts';
import { bodyRetentionDays } from '../../src/tracking/delete-old-bodies.ts';
import { sessionDaysMax, sessionIdleDays } from '../../src/people/cookie.ts';

/** Numbers and names in the guides are those of the code. Line breaks of a page mean nothing. */
const textOf = (page: string): string => readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ');
const security = textOf('docs/security.md');
const money = textOf('docs/money.md');

test.each([
  `Kept for ${clickRetentionDays} days`,
  `bodies of postbacks | ${bodyRetentionDays} days`,
  `mails | ${emailRetentionDays} days`,
  `ends after ${sessionIdleDays} days without use and after ${sessionDaysMax} days in any case`,
  `A recent proof**, at most ten minutes old`,
  `each works once, for ${signUpHours} hours, ${invitationDays} days, or ${newPasswordMinutes} minutes`,
  `password | ${passwordLength.least} to ${passwordLength.most} characters`,
  `\`rmc_\` and ${clickIdLength - 'rmc_'.length} characters`,
  `must arrive within ${httpLimits.receiveMs / secondMs} seconds. Headers are limited to ${httpLimits.headerBytesMax / 1_024} KiB`,
  `take at most ${httpLimits.bodiesBytesMax / 1_048_576} MiB of a process together`,
  `that accepts no byte of its response for ${httpLimits.sendMs / secondMs} seconds is disconnected`,
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
  expect(payoutSchedule.days).toEqual([1, 15]);
  expect(money).toContain(words);
});

test('docs/money.md has every state and every account', () => {
  for (const name of [...commissionStates, ...storeAccounts, ...creatorAccounts]) expect(money).toContain(`| \`${name}\` |`);
});

type Way = { readonly debit: string; readonly credit: string };

/** What happens, and the ways that it takes through both books. */
const happenings: ReadonlyArray<readonly [what: string, store: readonly Way[], creator: readonly Way[]]> = [
  ['recorded', [storeTransfers.accrued], []],
  ['rejected, or refunded before the invoice, in full or in part', [swapped(storeTransfers.accrued)], []],
  ['a rejection is taken back', [storeTransfers.accrued], []],
  ['on an invoice', [storeTransfers.billed, storeTransfers.feeBilled], []],
  ['credit is used for an invoice', [storeTransfers.creditUsed], []],
  ['the invoice is paid', [storeTransfers.collected, storeTransfers.creditCollected], [entryTransfers.collected]],
  ['a payout is made, and arrives', [], [payoutTransfers.drafted, payoutTransfers.arrived]],
  ['a payout fails, or comes back', [], [payoutTransfers.failed, payoutTransfers.returned]],
  ['credit note before it was paid', [storeTransfers.credited, storeTransfers.feeCredited, swapped(storeTransfers.creditUsed)], []],
  ['credit note after it was paid', [storeTransfers.creditedLater, storeTransfers.borne], [entryTransfers.credited]],
  [
    'partial refund after the invoice, before it was paid',
    [storeTransfers.credited, storeTransfers.feeCredited, swapped(storeTransfers.creditUsed)],
    [],
  ],
  ['partial refund after the invoice was paid', [storeTransfers.creditedLater, storeTransfers.borne], [entryTransfers.refunded]],
  ['credit note that the operator bears', [storeTransfers.borne], []],
  ['too little is left to be charged', [storeTransfers.writtenOff], []],
  [
    'the bank takes the store’s payment back',
    [swapped(storeTransfers.collected), swapped(storeTransfers.creditCollected)],
    [entryTransfers.charged_back, entryTransfers.advanced],
  ],
  ['a refund at the provider that the operator books as a loss', [storeTransfers.refundBorne], []],
  ['the whole charge of such a loss is taken back', [swapped(storeTransfers.refundBorne)], []],
  [
    'the store pays after all',
    [storeTransfers.collected, storeTransfers.creditCollected],
    [entryTransfers.collected, entryTransfers.repaid],
  ],
  ['a payout with an advance comes back', [], [entryTransfers.advance_ended]],
];

test('docs/money.md lists every transfer of money by its event', () => {
  const section = readFileSync('docs/money.md', 'utf8')
    .split(/^#+ /m)
    .find((one) => one.startsWith('Every way that money takes\n'));
  const waysIn = (cell: string) => [...cell.matchAll(/`(\w+) → (\w+)`/g)].map(([, debit, credit]) => `${debit} ${credit}`);
  const rows = [...(section ?? '').matchAll(/^\| (.+?) \|(.*)\|(.*)\|$/gm)].slice(2);
  const documented = rows.map(([, what = '', store = '', creator = '']) => [what.replace("'", '’'), waysIn(store), waysIn(creator)]);
  const shown = (some: readonly Way[]) => some.map(({ debit, credit }) => `${debit} ${credit}`);
  expect(documented).toEqual(happenings.map(([what, store, creator]) => [what, shown(store), shown(creator)]));
  // A way that is new, or undone for the first time, is missing above.
  const used = new Set<Way>(happenings.flatMap(([, store, creator]) => [...store, ...creator]));
  for (const way of [...Object.values(storeTransfers), ...Object.values(entryTransfers), ...Object.values(payoutTransfers)])
    expect(used).toContain(way);
  const undone = new Set(
    globSync('src/**/*.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/swapped\(storeTransfers\.(\w+)\)/g)].map(([, name]) => name),
    ),
  );
  expect([...undone].sort()).toEqual(['accrued', 'collected', 'creditUsed', 'refundBorne']);
});

test('CONTRIBUTING.md names every test that starts its own PostgreSQL', () => {
  const named = /start their own server:([^.]*(?:\.test\.ts[^.]*)*)\./.exec(textOf('CONTRIBUTING.md'))?.[1]?.match(/[\w/-]+\.test\.ts/g);
  const isOwn = (file: string) => /\bnewDataDir\(|database-pair\.ts'/.test(readFileSync(file, 'utf8'));
  expect(named?.toSorted()).toEqual(globSync('{src,test}/**/*.test.ts').filter(isOwn).toSorted());
});

test('every number on the front page is in docs/proof.md with its source', () => {
  const [, block = ''] = /<!-- the figures:[^\n]*-->\n([^]*)<!-- the end of the figures -->/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const proof = readFileSync('docs/proof.md', 'utf8').replaceAll(/\s+/g, ' ');
  const documented = block.split('\n').flatMap((line) => /^\| (?:.+?) \| (.*\d.*) \|$/.exec(line)?.[1] ?? []);
  expect(documented.length).toBeGreaterThan(8);
  for (const words of documented) {
    const ratios = [...words.matchAll(/([\d.]+) \(([\d.]+) to ([\d.]+)\)/g)].map(([, ...values]) => `| ${values.join(' | ')} |`);
    const expected = /^\d+ of \d+$/.test(words) ? `must notice: ${words} were caught` : `| ${words} |`;
    for (const figure of ratios.length > 0 ? ratios : [expected]) expect(proof).toContain(figure);
  }
});
