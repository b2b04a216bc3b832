import { vendureDashboardPlugin } from '@vendure/dashboard/vite';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vite';

const folder = import.meta.dirname;

export default defineConfig({
  base: '/dashboard/',
  build: { outDir: join(folder, 'built-dashboard'), emptyOutDir: true },
  plugins: [
    vendureDashboardPlugin({
      vendureConfigPath: pathToFileURL(join(folder, 'dashboard-config.ts')),
      api: { host: 'auto', port: 'auto' },
      gqlOutputPath: join(folder, 'gql'),
    }),
  ],
});
