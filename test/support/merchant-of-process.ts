import { onTestFinished } from 'vitest';
import { freshDatabase } from './database.ts';
import { besideMain, freePort, startMain, type MainProcess } from './main-process.ts';
import { merchantIn, type Merchant } from './merchant.ts';

/** A store whose service is a separate process on a fresh database; all of it ends with the test. */
type MerchantOfMain = { readonly merchant: Merchant; readonly main: MainProcess; readonly port: number };

export async function merchantOfMain(settings: Readonly<Record<string, string>> = {}): Promise<MerchantOfMain> {
  const { url: databaseUrl, database } = await freshDatabase();
  await database.end();
  const port = await freePort();
  const main = await startMain(port, { DATABASE_URL: databaseUrl, ...settings });
  onTestFinished(() => main.kill());
  const service = besideMain(databaseUrl, main.url);
  onTestFinished(() => service.stop());
  const merchant = merchantIn(service, await service.seed());
  onTestFinished(() => merchant.database.end());
  return { merchant, main, port };
}
