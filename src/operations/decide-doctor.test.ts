import { expect, test } from 'vitest';
import { dayMs, hourMs } from '../core/time.ts';
import { decideDoctor, type DatabaseState, type InstallationFacts } from './decide-doctor.ts';
import { baseUrlFacts } from './examine-installation.ts';

const there: DatabaseState = {
  is: 'there',
  versionNumber: 180_001,
  encoding: 'UTF8',
  fsync: 'on',
  synchronousCommit: 'on',
  fullPageWrites: 'on',
  connectionsMax: 100,
  clockAheadMs: 3,
  pending: [],
  unknown: [],
  moneyError: null,
  keyOpens: true,
  keyChange: null,
  jobs: [{ job: 'issue monthly invoices', failures: 0 }],
  jobsIdleMs: hourMs,
  verified: { agoMs: hourMs, differences: 0 },
};
const live: InstallationFacts = {
  mode: 'live',
  baseUrl: baseUrlFacts('https://partners.shop.com'),
  mail: { is: 'reached', mayBeReadOnTheWay: false },
  key: { is: 'set' },
  stripe: 'live',
  disk: { freeBytes: 50e9, bytes: 100e9 },
  processes: 2,
  connectionsEach: 27,
  database: there,
};
const sandbox: InstallationFacts = {
  ...live,
  mode: 'sandbox',
  baseUrl: baseUrlFacts('http://localhost:3000'),
  mail: { is: 'none' },
  stripe: 'none',
};

const notGood = (facts: InstallationFacts) =>
  decideDoctor(facts)
    .filter(({ is }) => is !== 'good')
    .map(({ is, what }) => `${is} ${what}`);

test('an installation where all is well has nothing but good lines, live and in the sandbox', () => {
  expect(notGood(live)).toEqual([]);
  expect(notGood(sandbox)).toEqual([]);
  expect(decideDoctor(live)).toHaveLength(14);
});

test.each<[string, Partial<InstallationFacts>, string[]]>([
  ['without https', { baseUrl: baseUrlFacts('http://partners.shop.com') }, ['bad base URL']],
  ['at an address of its own network', { baseUrl: baseUrlFacts('https://192.168.1.5') }, ['bad base URL']],
  ['at a name that only its network resolves', { baseUrl: baseUrlFacts('https://tributary') }, ['bad base URL']],
  ['with a key that others may read', { key: { is: 'in a file', isOwnerOnly: false } }, ['bad secret key']],
  ['that cannot charge a card', { stripe: 'none' }, ['warn payments']],
  ['that sends no mail', { mail: { is: 'none' } }, ['warn mail']],
  ['that may send mails unencrypted', { mail: { is: 'reached', mayBeReadOnTheWay: true } }, ['warn mail']],
  ['whose mail server is away', { mail: { is: 'failed', error: 'connect ECONNREFUSED' } }, ['bad mail']],
  ['with little free space', { disk: { freeBytes: 4e9, bytes: 100e9 } }, ['warn disk']],
  ['with a tenth of a small disk', { disk: { freeBytes: 6e9, bytes: 80e9 } }, ['warn disk']],
  ['with no free space', { disk: { freeBytes: 0.9e9, bytes: 10e9 } }, ['bad disk']],
  ['with a folder that is not there', { disk: null }, ['warn disk']],
  ['with more processes than the database takes', { processes: 4 }, ['warn connections']],
  ['whose database is away', { database: { is: 'away', error: 'refused' } }, ['bad database']],
])('reports an installation %s', (_what, part, expected) => {
  expect(notGood({ ...live, ...part })).toEqual(expected);
});

test.each<[string, Partial<DatabaseState>, string[]]>([
  ['too old', { versionNumber: 140_012 }, ['bad database']],
  ['newer than tested', { versionNumber: 190_000 }, ['warn database']],
  ['in another encoding', { encoding: 'SQL_ASCII' }, ['bad database']],
  ['two seconds off', { clockAheadMs: -2_000 }, ['warn clock']],
  ['six seconds off', { clockAheadMs: 6_000 }, ['bad clock']],
  ['without fsync', { fsync: 'off' }, ['bad durability']],
  ['without full pages', { fullPageWrites: 'off' }, ['bad durability']],
  ['that answers before it wrote', { synchronousCommit: 'off' }, ['bad durability']],
  ['with a synchronous standby', { synchronousCommit: 'remote_apply' }, []],
  ['with too few connections for one process', { connectionsMax: 20 }, ['bad connections']],
  ['that is behind', { pending: ['0024-more.sql'] }, ['warn migrations']],
  ['that is ahead', { unknown: ['0099-later.sql'] }, ['bad migrations']],
  ['with money of the other kind', { moneyError: 'pretended money was moved' }, ['bad money']],
  ['sealed under another key', { keyOpens: false }, ['bad seals']],
  ['whose key is being changed', { keyChange: { remaining: [{ table: 'mails', values: 7 }], peopleWithOldCodes: 0 } }, ['warn key change']],
  ['with recovery codes of the former key', { keyChange: { remaining: [], peopleWithOldCodes: 2 } }, ['warn key change']],
  ['whose key was changed', { keyChange: { remaining: [], peopleWithOldCodes: 0 } }, []],
  ['with a job that failed', { jobs: [{ job: 'fold', failures: 1 }] }, ['warn jobs']],
  ['with a job that fails again and again', { jobs: [{ job: 'fold', failures: 3 }] }, ['bad jobs']],
  ['where no job ran', { jobsIdleMs: 8 * hourMs }, ['warn jobs']],
  ['where none ever did', { jobs: [], jobsIdleMs: null }, ['warn jobs']],
  ['that was never verified', { verified: null }, ['warn books']],
  ['verified long ago', { verified: { agoMs: 9 * dayMs, differences: 0 } }, ['warn books']],
  ['whose books differ', { verified: { agoMs: 0, differences: 1 } }, ['bad books']],
])('reports a database %s', (_what, part, expected) => {
  expect(notGood({ ...live, database: { ...there, ...part } })).toEqual(expected);
});

test('in the sandbox what only costs pretended money is a warning', () => {
  expect(notGood({ ...sandbox, database: { ...there, fsync: 'off' } })).toEqual(['warn durability']);
});
