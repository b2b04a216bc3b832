import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard, type Visitor } from '../support/dashboard.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());

const picture = readFileSync(new URL('../../docs/pictures/overview-light.webp', import.meta.url));

/** The width of the picture, once the browser has decoded it. */
async function shownWidth({ page }: Visitor): Promise<number> {
  await page.getByRole('row').locator('img').scrollIntoViewIfNeeded();
  return page.evaluate('document.querySelector("tr img").decode().then(() => document.querySelector("tr img").naturalWidth)');
}

test('a member of a program sees, downloads, and copies what its merchant added, until it is deleted', async () => {
  const owner = await dashboard.visitor();
  await owner.signIn(merchant.world.logins.merchant);
  await owner.open(`/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`);
  const { page } = owner;
  await page.getByRole('button', { name: 'Upload file' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('File').setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not an image') });
  await dialog.getByRole('button', { name: 'Upload file' }).click();
  await dialog.getByText('The file must be a PNG, JPEG, WebP, GIF, or PDF.').waitFor();
  await dialog.getByLabel('File').setInputFiles({ name: 'Spring banner.webp', mimeType: 'image/webp', buffer: picture });
  await dialog.getByRole('button', { name: 'Upload file' }).click();
  await page.getByRole('link', { name: 'Spring banner.webp' }).waitFor();
  await page.getByRole('button', { name: 'Add text' }).click();
  await dialog.getByLabel('Name').fill('Caption');
  await dialog.getByLabel('Text').fill('Ten percent off this week.\nLink in bio.');
  await dialog.getByRole('button', { name: 'Add text' }).click();
  await page.getByRole('row', { name: /Caption/ }).waitFor();
  expect(await shownWidth(owner)).toBeGreaterThan(100);
  expect(await axeViolations(owner)).toEqual([]);

  const cora = await dashboard.visitor({ width: 390 });
  await cora.signIn(merchant.world.logins.creator);
  await cora.open('/creator/assets');
  expect(await shownWidth(cora)).toBeGreaterThan(100);
  const [download] = await Promise.all([
    cora.page.waitForEvent('download'),
    cora.page.getByRole('link', { name: 'Spring banner.webp' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Spring banner.webp');
  expect(readFileSync(await download.path()).equals(picture)).toBe(true);
  await cora.page.getByRole('button', { name: 'Copy Caption' }).waitFor();
  expect(await axeViolations(cora)).toEqual([]);

  await page
    .getByRole('button', { name: /Delete/ })
    .last()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete asset' }).click();
  await page.getByRole('link', { name: 'Spring banner.webp' }).waitFor({ state: 'detached' });
  await cora.open('/creator/assets');
  expect(await cora.page.getByRole('link', { name: 'Spring banner.webp' }).count()).toBe(0);
  expect(cora.complaints).toEqual([]);
});
