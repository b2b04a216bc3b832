import { freshDatabase } from './database.ts';
import { startDatabaseProxy, type DatabaseProxy } from './network-proxy.ts';
import { merchantIn, type Merchant } from './merchant.ts';
import { startTestServiceOn } from './service.ts';

/** A store whose service connects to its database through a proxy. Tests query the database directly. */
export type ProxiedMerchant = { readonly proxy: DatabaseProxy; readonly merchant: Merchant; readonly close: () => Promise<void> };

export async function merchantBehindProxy(settings: Readonly<Record<string, string>> = {}): Promise<ProxiedMerchant> {
  const { url, database } = await freshDatabase();
  await database.end();
  const proxy = await startDatabaseProxy(url);
  const service = await startTestServiceOn(proxy.url, settings);
  const merchant = merchantIn({ ...service, databaseUrl: url }, await service.seed());
  return {
    proxy,
    merchant,
    async close() {
      await proxy.pass();
      await service.stop();
      await proxy.close();
    },
  };
}
