import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { fontPreload } from './font-plugin.ts';
import { messageCatalogs } from './messages-plugin.ts';

/** Vite reads the default export. `scripts/dev.ts` adds the proxy to the service. */
/** Modules of the frame are on every page and tiny: as one file they are compressed together. */
const frameModules = /src.app.shell.(shell|sidebar|navigation|navigation-pages|menu-buttons|inbox-link|palette-button)\./;
const chunks = [
  { name: 'common', minShareCount: 24 },
  { name: 'frame', test: frameModules },
] as const;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), messageCatalogs(), fontPreload()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [...chunks] } } },
  },
});
