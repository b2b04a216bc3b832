import { Type as T } from 'typebox';
import { endpoint } from './people/endpoint.ts';
import { moveSandboxClock } from './platform/database/sandbox-clock.ts';
import { runDueJobs } from './platform/due-jobs.ts';
import { refuse } from './platform/http/answers.ts';
import { isoTime } from './platform/http/fields.ts';
import { dayMs, readDuration } from './platform/time.ts';
import { schedule } from './schedule.ts';

const clockJson = T.Object({ now: T.String() });
const advanceMsMax = 3_700 * dayMs;

export const readClock = endpoint({
  summary: 'What time it is in the sandbox',
  access: { who: 'signed in' },
  reply: clockJson,
  async handle({ platform, now }) {
    return platform.config.mode === 'sandbox' ? { now: isoTime(now) } : sandboxOnly;
  },
});

/** From due moment to due moment, each job at its own time; when it answers, everything that was due has run. */
export const moveClock = endpoint({
  summary: 'Move the time of the sandbox forward; what becomes due has run when it answers',
  access: { who: 'operator' },
  body: T.Object({ advance: T.String({ description: 'Such as 31d, 12h, 5m, 30s or 250ms' }) }, { additionalProperties: false }),
  reply: clockJson,
  inTransaction: false,
  audit: 'sandbox.clock_moved',
  async handle({ platform, body, now }) {
    if (platform.config.mode !== 'sandbox') return sandboxOnly;
    const advanceMs = readDuration(body.advance);
    if (advanceMs === null || advanceMs > advanceMsMax) {
      return refuse('invalid_request', 'The body is not right; see errors.', [
        { field: 'advance', message: 'must be such as 31d, 12h, 5m, 30s or 250ms, at most 3700d' },
      ]);
    }
    const { database, clock } = platform;
    const goal = new Date(now.getTime() + advanceMs);
    await runDueJobs(platform, schedule, goal, { ifTaken: 'wait', before: (moment) => moveSandboxClock(database, clock, moment) });
    await moveSandboxClock(database, clock, goal);
    return { now: isoTime(clock.now()) };
  },
});

const sandboxOnly = refuse('sandbox_only', 'The clock can be moved in the sandbox only.');
