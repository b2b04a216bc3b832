import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { createPerson } from '../support/portal.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);

test('a merchant asks two questions, a creator answers them on a phone, and the merchant reads the answers', async () => {
  const { store, program } = merchant.world;
  const question = (number: number) => mara.page.getByRole('group', { name: `Question ${number}` });
  await mara.open(`/stores/${store.id}/programs/${program.id}/settings`);
  for (const _ of [1, 2]) await mara.page.getByRole('button', { name: 'Add question', exact: true }).click();
  await question(1).getByLabel('Question', { exact: true }).fill('Where do you publish?');
  await question(1).getByLabel('Answer').selectOption('url');
  await question(2).getByLabel('Question', { exact: true }).fill('Channel');
  await question(2).getByLabel('Answer').selectOption('choice');
  await question(2).getByLabel('Choices').fill('Blog\nVideo');
  await question(2).getByLabel('Required').uncheck();
  expect(await axeViolations(mara)).toEqual([]);
  await mara.page.getByRole('button', { name: 'Save questions' }).click();
  await mara.page.getByText('Questions saved.').waitFor();

  const nora = await createPerson(dashboard.service, 'Nora Newcomer');
  const visitor = await dashboard.visitor({ width: 390, scheme: 'dark' });
  await visitor.signIn(nora);
  await visitor.open(`/programs/${program.id}`);
  await visitor.page.getByLabel('Where do you publish?').fill('nowhere');
  await visitor.page.getByLabel('Channel').selectOption('Video');
  const apply = visitor.page.getByRole('button', { name: /apply$/i });
  await apply.click();
  await visitor.page.getByText('Must be a web address', { exact: false }).waitFor();
  await visitor.page.getByLabel('Where do you publish?').fill('https://nora.example/videos');
  await apply.click();
  await apply.waitFor({ state: 'detached' });
  expect(visitor.complaints).toEqual([]);

  await mara.open(`/stores/${store.id}/creators`);
  const applications = mara.page.getByRole('region', { name: 'Applications', exact: true });
  expect(await applications.getByRole('link', { name: 'https://nora.example/videos' }).getAttribute('rel')).toContain('noreferrer');
  await applications.getByText('Video', { exact: true }).waitFor();
  await applications.getByRole('link', { name: 'Nora Newcomer' }).click();
  await mara.page.getByRole('region', { name: 'Application', exact: true }).getByText('Where do you publish?').waitFor();
  expect(mara.complaints).toEqual([]);
});
