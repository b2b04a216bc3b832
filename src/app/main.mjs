import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { isCurrent } from '../build/outputs.mjs';

/*
 * `npm start`: runs the service from its bundle, and builds that first where its sources have changed. What was compiled once is kept beside
 * the installed packages, so that the next start need not compile it again. This file is JavaScript, because Node would load its TypeScript
 * compiler for it.
 */
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/tributary'));
if (!isCurrent('service')) {
  const { buildBeforeStart } = await import('../build/before-start.ts');
  await buildBeforeStart();
}
await import('../../dist/service/start.js');
flushCompileCache();
