import { setTimeout as pause } from 'node:timers/promises';
import type { MerchantSettings } from '../src/core/config.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import { callApi, exit, TemporaryError, UsageError, storePath, type Command, type Terminal } from './command.ts';
import { eventsIn } from './event-stream.ts';

const reconnectAfterMs = 2_000;

export const tail: Command = {
  usage: 'tail [--json] [--count N]',
  does: apiMessage('cli_tail.does'),
  stopsItself: true,
  async run({ flags, settings }, terminal) {
    const most = flags.count === undefined ? Number.POSITIVE_INFINITY : Number(flags.count);
    if (!(most >= 1)) throw new UsageError(apiMessage('cli_tail.count_invalid'));
    let shown = 0;
    for await (const data of eventsOf(settings, terminal)) {
      terminal.say(flags.json === true ? data : formatLine(JSON.parse(data)));
      shown += 1;
      if (shown >= most) break;
    }
    return exit.done;
  },
};

/** Reconnects until it is stopped or its key is rejected. Reports an error if the first connection fails. */
async function* eventsOf(settings: MerchantSettings, { signal }: Terminal): AsyncGenerator<string> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const path = `${storePath(settings)}/tracking-log/stream`;
    try {
      yield* eventsIn(await callApi(settings, path, { signal }));
    } catch (error) {
      const isRefused = error instanceof UsageError;
      // Otherwise the stream was cut off: the service restarted, or a proxy timed out.
      if (!signal.aborted && (isRefused || (isFirst && error instanceof TemporaryError))) throw error;
    }
    if (!signal.aborted) await pause(reconnectAfterMs, undefined, { signal }).catch(() => undefined);
  }
}

type TailLine = {
  readonly at: string;
  readonly status: number;
  readonly operation: string;
  readonly reason: string;
  readonly subject: string | null;
  readonly latency_ms: number;
  readonly explanation: string;
  readonly warnings: ReadonlyArray<{ readonly message: string }>;
};

function formatLine({ at, status, operation, reason, subject, latency_ms: latency, explanation, warnings }: TailLine): string {
  const mark = status === 200 ? 'good ' : 'WRONG';
  const head = `${mark} ${at} ${status} ${operation} ${reason} ${subject ?? ''} (${latency} ms)`;
  return [head, `      ${explanation}`, ...warnings.map(({ message }) => `      note: ${message}`)].join('\n');
}
