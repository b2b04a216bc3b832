import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard, type Visitor } from '../support/dashboard.ts';
import { createCreatorPerson, joinProgram } from '../support/portal.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());

const stepsOf = async ({ page }: Visitor) => ({
  done: await page.getByRole('listitem').filter({ hasText: 'Complete' }).locator('strong').allTextContents(),
  next: await page.locator('li[aria-current="step"] strong').textContent(),
});

test('a new creator sees the next step with its link until all steps are done, and downloads the QR code of the first link', async () => {
  const nora = await createCreatorPerson(dashboard.service, 'Nora Newcomer');
  const visitor = await dashboard.visitor({ width: 390 });
  await visitor.signIn({ email: nora.email, password: nora.password });
  await visitor.open('/creator');
  expect(await stepsOf(visitor)).toEqual({ done: ['Add a payout method'], next: 'Join a program' });
  await visitor.page.getByRole('link', { name: 'View programs' }).click();
  await visitor.page.waitForURL('**/creator/programs');

  const { link } = await joinProgram(merchant, nora);
  await visitor.open('/creator');
  expect(await stepsOf(visitor)).toEqual({
    done: ['Join a program', 'Create a link', 'Add a payout method'],
    next: 'Get your first click',
  });
  expect(await axeViolations(visitor)).toEqual([]);
  await visitor.page.getByRole('link', { name: 'Open links' }).click();
  await visitor.page.getByRole('button', { name: /^Show QR code for/ }).click();
  const save = async (kind: 'PNG' | 'SVG') => {
    const button = visitor.page.getByRole('button', { name: `Download ${kind}` });
    const [download] = await Promise.all([visitor.page.waitForEvent('download'), button.click()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const [png, svg] = [await save('PNG'), await save('SVG')];
  expect([png.name, svg.name]).toEqual([`qr-${link.code}.png`, `qr-${link.code}.svg`]);
  expect(png.bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  // The pictures are square, with 20 pixels for each square of the code.
  const [width, height] = [png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)];
  expect([width, width % 20]).toEqual([height, 0]);
  expect(svg.bytes.toString()).toMatch(new RegExp(`^<svg xmlns="[^"]+" viewBox="0 0 ${width / 20} ${width / 20}" width="${width}"`));

  await merchant.convert(await merchant.order({ click_id: await merchant.click(link.url) }));
  await visitor.open('/creator');
  await visitor.page.getByRole('heading', { name: 'Next payout' }).waitFor();
  expect(await visitor.page.getByRole('heading', { name: 'Get started' }).count()).toBe(0);
  expect(visitor.complaints).toEqual([]);
});
