import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { contractDialect } from '../../src/contract/reply.ts';
import type { HttpLimits } from '../../src/http/limits.ts';
import { createServer } from '../../src/http/server.ts';
import { invariant } from '../../src/core/invariant.ts';
import { requestText, type RawAnswer } from './raw-socket.ts';

export const reportedErrors: unknown[] = [];
class DatabaseUnavailable extends Error {}

/** The HTTP server with a few handlers. */
export function plainServer(limits: Partial<HttpLimits> = {}): FastifyInstance {
  const app = createServer({
    trustedProxies: ['127.0.0.1'],
    problemFormats: [contractDialect(() => {})],
    isTemporary: (error) => error instanceof DatabaseUnavailable,
    onError: (error) => reportedErrors.push(error),
    limits,
  });
  app.get('/things', async () => ({ ok: true, reason: 'found' }));
  app.post('/things', async (request) => ({ ok: true, reason: 'made', bytes: Buffer.isBuffer(request.body) ? request.body.length : 0 }));
  app.get('/money', async () => ({ ok: true, cents: 9_007_199_254_740_993n, at: new Date(0), ip: 'none' }));
  app.get('/who', async (request) => ({ ok: true, ip: request.ip, id: request.id }));
  app.get('/cached', async (_request, reply) => reply.header('cache-control', 'public, max-age=60').send({ ok: true }));
  app.get('/bug', async () => invariant(false, 'this handler has a bug'));
  app.get('/away', async () => Promise.reject(new DatabaseUnavailable()));
  app.get('/slow', async () => new Promise((resolve) => setTimeout(() => resolve({ ok: true, reason: 'slow' }), 300)));
  app.get('/pages/*', async () => ({ ok: true, reason: 'page' }));
  return app;
}

export const addressesOf = (server: FastifyInstance) => server.addresses().filter((address) => typeof address !== 'string');
export const portOf = (server: FastifyInstance): number => addressesOf(server)[0]?.port ?? 0;
export function expectProblem(answer: RawAnswer | null, status: number, reason: string): void {
  expect(answer).toMatchObject({ status, json: { ok: false, reason } });
  expect(Object.keys(answer?.json ?? {}).slice(0, 2)).toEqual(['ok', 'reason']);
  expect(answer?.headers['content-type']).toMatch(/^application\/json/);
  expect(answer?.headers['cache-control']).toBe('no-store');
  expect(answer?.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
}

export const json = { 'Content-Type': 'application/json' };
export const post = (headers: Readonly<Record<string, string | null>>, body = ''): Buffer =>
  requestText('POST', '/things', { headers, body });
