import { env } from 'node:process';
import { afterAll, afterEach } from 'vitest';
import { failIfUndescribed } from './checked-fetch.ts';

/** Runs before every test file (vitest.config.ts). Test files share processes, so it imports what may run only once in a process. */
if (env['ODD_CLOCK'] !== undefined) await import('./odd-clock.ts');

afterEach(failIfUndescribed);
afterAll(failIfUndescribed);
