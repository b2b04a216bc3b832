import { TributaryPlugin } from '@tributary/vendure';
import type { VendureConfig } from '@vendure/core';
import { DashboardPlugin } from '@vendure/dashboard/plugin';

/** What the build of the dashboard reads: the plugins with pages, and the schema of their API. It starts no server. */
export const config: VendureConfig = {
  apiOptions: { port: 3000 },
  authOptions: { tokenMethod: ['bearer', 'cookie'] },
  dbConnectionOptions: { type: 'postgres' },
  paymentOptions: { paymentMethodHandlers: [] },
  plugins: [DashboardPlugin.init({ route: 'dashboard', appDir: 'built-dashboard' }), TributaryPlugin.init({})],
};
