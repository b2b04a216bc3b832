import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { openTestLinksMax, testLinkHours } from '../../src/clicks/test-links-api.ts';
import { openApplicationsMax } from '../../src/creators/decide-application.ts';
import { integrationCheckNames } from '../../src/integration/decide-checks.ts';
import { attributionDaysMax } from '../../src/merchants/terms.ts';
import { blockReasons } from '../../src/payouts/balance-api.ts';
import { payoutSchedule } from '../../src/payouts/decide-payout.ts';
import { invitationDays } from '../../src/people/invitations.ts';
import { signUpHours } from '../../src/people/one-time-links.ts';
import { creatorPermissions, roles, storePermissions } from '../../src/people/permissions.ts';
import { namesOf } from '../../src/core/names-of.ts';
import { declinedDisputesMax } from '../../src/review/decide-dispute.ts';

/** What docs/dashboards.md says is what the dashboards and the code say. */
const page = readFileSync('docs/dashboards.md', 'utf8');
const text = page.replaceAll(/\s+/g, ' ');
type Catalog = Readonly<Record<string, Readonly<Record<string, string>>>>;
const readCatalog = (area: string): Catalog => JSON.parse(readFileSync(`locales/en/${area}.json`, 'utf8'));
const areas = globSync('locales/en/*.json').map((file) => basename(file, '.json'));

/** The rows of the table that begins with this cell, its head first. */
function tableOf(firstCell: string): ReadonlyArray<readonly string[]> {
  const [, rest = ''] = page.split(`\n\n| ${firstCell} |`);
  const [table = ''] = `| ${firstCell} |${rest}`.split('\n\n');
  const rows = table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return rows.filter(([cell]) => cell !== '---');
}
const codeIn = (cell: string | undefined): string => /`([^`]+)`/.exec(cell ?? '')?.[1] ?? '';

test('its table of roles is that of the code: each role, each permission, and who has which', () => {
  const [head = [], ...rows] = tableOf('may');
  expect(head.slice(1)).toEqual(namesOf(roles));
  expect(rows.map(([cell]) => codeIn(cell))).toEqual(namesOf(storePermissions));
  const permissionRows = namesOf(roles).map((role, place) => [
    role,
    rows.filter((cells) => cells[place + 1] === 'yes').map(([cell]) => codeIn(cell)),
  ]);
  expect(Object.fromEntries(permissionRows)).toEqual(roles);
});

test('its table of scopes lists every scope of an API key with its purpose', () => {
  const [, ...rows] = tableOf('scope');
  expect(rows.map(([cell]) => codeIn(cell))).toEqual([...namesOf(storePermissions), ...namesOf(creatorPermissions)]);
  for (const [scope, words] of rows) expect([scope, words]).toEqual([scope, expect.stringMatching(/\w/)]);
});

test('its table of integration checks lists each check under its name on the screen', () => {
  const [, ...rows] = tableOf('check');
  const source = readFileSync('web/src/features/integration/integration.tsx', 'utf8');
  const messages = readCatalog('integration');
  const titles = integrationCheckNames.map((light) => {
    const [, group = '', name = ''] = new RegExp(`${light}: \\{ title: t\\.(\\w+)\\.(\\w+)`).exec(source) ?? [];
    return messages[group]?.[name];
  });
  expect(rows.map(([light, title]) => [codeIn(light), title])).toEqual(integrationCheckNames.map((light, place) => [light, titles[place]]));
});

test('it names each reason why money waits', () => {
  const named = tableOf('it waits for').flatMap(([cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, reason]) => reason));
  expect(named.toSorted()).toEqual([...blockReasons].toSorted());
});

test('it names every page of the two menus', () => {
  const navigation = readFileSync('web/src/app/shell/navigation-pages.ts', 'utf8');
  const messages = readCatalog('shell');
  const labels = [...navigation.matchAll(/label: t\.(\w+)\.(\w+)/g)].map(([, group = '', name = '']) => messages[group]?.[name]);
  expect(labels.length).toBeGreaterThan(20);
  for (const label of labels) expect(text).toContain(`**${label}**`);
});

test('every bold text of the guide is on the screen, character for character', () => {
  const bold = new Set([...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, words = '']) => words));
  expect(bold.size).toBeGreaterThan(60);
  const shown = new Set(areas.flatMap((area) => Object.values(readCatalog(area)).flatMap((messages) => Object.values(messages))));
  expect([...bold].filter((words) => !shown.has(words))).toEqual([]);
});

test.each([
  `works once, for ${signUpHours} hours`,
  `works once, for ${invitationDays} days`,
  `works for ${testLinkHours} hours`,
  `**Attribution window** 1 to ${attributionDaysMax} days`,
])('it agrees with the code: %s', (words) => {
  expect(text).toContain(words);
});

test('the numbers that it writes as words are those of the code', () => {
  expect([openTestLinksMax, openApplicationsMax, declinedDisputesMax]).toEqual([5, 50, 3]);
  expect(payoutSchedule.days).toEqual([1, 15]);
  for (const words of ['five may be open', 'fifty applications', 'After three', 'up to three times', 'on the 1st and the 15th'])
    expect(text).toContain(words);
});
