import { freshDatabase } from './database.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts';
import { merchantIn, type Merchant } from './merchant.ts';
import { startTestServiceOn } from './service.ts';

/** A store whose service connects to its database through a proxy. Tests query the database directly. */
export type BehindProxy = { readonly proxy: FaultProxy; readonly merchant: Merchant; readonly close: () => Promise<void> };

export async function merchantBehindProxy(settings: Readonly<Record<string, string>> = {}): Promise<BehindProxy> {
  const { url, database } = await freshDatabase();
  await database.end();
  const proxy = await startFaultProxy(url);
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
