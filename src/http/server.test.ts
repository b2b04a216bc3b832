import { expect, test } from 'vitest';
import { createServer } from './server.ts';

test('a route with a schema fails when the service starts, because no compiler of schemas is loaded', async () => {
  const app = createServer({ trustedProxies: [], problemFormats: [], isTemporary: () => false, onError: () => {} });
  app.get('/things', { schema: { querystring: { type: 'object', properties: { name: { type: 'string' } } } } }, async () => 'found');
  await expect(app.ready()).rejects.toThrow('routes have no schemas');
});
