import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { fontPreload } from './font-plugin.ts';
import { messageCatalogs } from './messages-plugin.ts';

/** Vite reads the default export. `scripts/dev.ts` adds the proxy to the service. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), messageCatalogs(), fontPreload()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'common', minShareCount: 24 }] } } },
  },
});
