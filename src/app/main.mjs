import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/*
 * `npm start`: what was compiled once is kept beside the installed packages, so that the next start need not compile it again. This file is
 * JavaScript, because Node would load its TypeScript compiler for it: the cache is not enabled yet.
 */
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/tributary'));
await import('./resolve-relative.mjs');
await import('./start.ts');
flushCompileCache();
