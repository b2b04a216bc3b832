import { expect, test } from 'vitest';
import { readHosts } from './database-hosts.ts';

test.each([
  ['postgres://user:pass@db.example/name', 'postgres://user:pass@db.example/name', [['db.example', 5432]]],
  [
    'postgresql://user:pass@one:1,two:2,three/name?sslmode=verify-full',
    'postgresql://user:pass@one:1/name?sslmode=verify-full',
    [
      ['one', 1],
      ['two', 2],
      ['three', 5432],
    ],
  ],
  [
    'postgres://user:p%40ss%2C@one,two/name?target_session_attrs=read-write&a=b',
    'postgres://user:p%40ss%2C@one/name?a=b',
    [
      ['one', 5432],
      ['two', 5432],
    ],
  ],
  [
    'postgres://[::1]:1,[fd00::2]:2/name?target_session_attrs=primary',
    'postgres://[::1]:1/name',
    [
      ['::1', 1],
      ['fd00::2', 2],
    ],
  ],
  [
    'postgres://user:pass@localhost/name?host=%2Ftmp%2Fsocket&port=5432',
    'postgres://user:pass@localhost/name?host=%2Ftmp%2Fsocket&port=5432',
    [['localhost', 5432]],
  ],
] as const)('reads the hosts of %s, and returns a URL that the driver understands', (url, first, hosts) => {
  expect(readHosts(url)).toEqual({ first, all: hosts.map(([name, port]) => ({ name, port })) });
});

test.each([
  'mysql://one,two/name',
  'postgres://one,two:port/name',
  'postgres://one,/name',
  'postgres://one,two/name?target_session_attrs=any',
  'postgres://one/name?target_session_attrs=prefer-standby',
  'one,two',
  '',
])('"%s" is not the URL of a writable database', (url) => {
  expect(readHosts(url)).toBeNull();
});
