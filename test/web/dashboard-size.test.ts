import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { openDashboard, type Visitor } from '../support/dashboard.ts';
import { pathsOfRoutes } from '../support/web-routes.ts';

const firstLoadBytesMax = 200_000;
/** The typeface comes beside: texts are shown before it is loaded. */
const fontBytesMax = 60_000;

const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const world = await dashboard.service.seed();
const earlier = await dashboard.visitor();
await earlier.signIn(world.logins.merchant);

test('the sign-in page loads at most 200 kB, compressed with gzip', async () => {
  const visitor = await dashboard.visitor();
  expect(await bytesLoadedBy(visitor, '/sign-in')).toBeLessThanOrEqual(firstLoadBytesMax);
});

const ofStore = pathsOfRoutes().filter((path) => path.startsWith('/stores/$store'));
test.each(ofStore)('the page %s loads at most 200 kB, compressed with gzip, with an empty cache', async (page) => {
  const visitor = await dashboard.visitor();
  await visitor.context.addCookies(await earlier.context.cookies());
  const path = page.replace('$store', world.store.id).replace('$program', world.program.id).replace('$creator', world.creator.id);
  expect(await bytesLoadedBy(visitor, path)).toBeLessThanOrEqual(firstLoadBytesMax);
});

/** Everything from our own build: page, scripts, style sheets, images. */
async function bytesLoadedBy({ page, context, open }: Visitor, path: string): Promise<number> {
  const bodies: Array<Promise<Buffer>> = [];
  const fonts: Array<Promise<Buffer>> = [];
  page.on('response', (answer) => {
    if (!answer.url().includes('/api/')) (answer.url().endsWith('.woff2') ? fonts : bodies).push(answer.body());
  });
  await open(path);
  await page.waitForLoadState('networkidle');
  const loaded = await Promise.all(bodies);
  const typeface = await Promise.all(fonts);
  // An open page keeps polling and slows down the pages after it.
  await context.close();
  expect(loaded.length).toBeGreaterThan(5);
  expect(sizeOf(typeface)).toBeLessThanOrEqual(fontBytesMax);
  return sizeOf(loaded);
}

const sizeOf = (bodies: readonly Buffer[]): number => bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
