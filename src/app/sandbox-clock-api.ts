import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { moveSandboxClock } from '../db/sandbox-clock.ts';
import { runDueJobs } from '../queue/scheduled-jobs.ts';
import { historyIsWritten, unlessHistoryIsWritten } from '../queue/history-lock.ts';
import { refuse } from '../http/responses.ts';
import { isoTime, namedObject } from '../http/fields.ts';
import { dayMs, readDuration } from '../core/time.ts';
import type { Providers } from '../payments/providers.ts';
import { earliestSandboxEvent, sendSandboxEvents } from '../payments/sandbox-webhooks.ts';
import { scheduleOf } from './schedule.ts';
import { apiMessage } from '../messages/api-message.ts';

const clockJson = namedObject('SandboxClock', { now: T.String() });
const advanceMsMax = 3_700 * dayMs;

export const readClock = endpoint({
  summary: 'Get the time of the sandbox',
  access: { allow: 'signed in' },
  reply: clockJson,
  async handle({ platform, now }) {
    return platform.config.mode === 'sandbox' ? { now: isoTime(now) } : sandboxOnly;
  },
});

/** Runs each job at its own time, from one moment with work to the next; when it answers, everything that was due has run. */
export const moveClock = (providers: Providers) =>
  endpoint({
    summary: 'Move the time of the sandbox forward; jobs that become due have run when it responds',
    access: { allow: 'operator' },
    body: T.Object(
      { advance: T.String({ maxLength: 20, description: 'Such as 31d, 12h, 5m, 30s, or 250ms; at most 3700d' }) },
      { additionalProperties: false },
    ),
    reply: clockJson,
    inTransaction: false,
    audit: 'sandbox.clock_moved',
    async handle({ platform, body, now }) {
      if (platform.config.mode !== 'sandbox') return sandboxOnly;
      const advanceMs = readDuration(body.advance);
      if (advanceMs === null || advanceMs > advanceMsMax) {
        return refuse('invalid_request', apiMessage('shared.body_invalid'), [
          { field: 'advance', message: apiMessage('sandbox_clock_api.must_duration_such_as_31d') },
        ]);
      }
      const { database, clock } = platform;
      const goal = new Date(now.getTime() + advanceMs);
      // Sends the provider events that are due by then before the jobs of that moment run.
      const moveTo = async (moment: Date) => {
        await moveSandboxClock(database, clock, moment);
        await sendSandboxEvents(platform, moment);
      };
      const moved = await unlessHistoryIsWritten(platform, async () => {
        await runDueJobs(platform, scheduleOf(providers), goal, {
          ifTaken: 'wait',
          before: moveTo,
          earliestBefore: () => earliestSandboxEvent(platform),
        });
        await moveTo(goal);
      });
      return moved.is === 'history' ? historyIsWritten : { now: isoTime(clock.now()) };
    },
  });

const sandboxOnly = refuse('sandbox_only', apiMessage('sandbox_clock_api.clock_can_moved_sandbox_only'));
