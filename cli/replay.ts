import { isFixable } from '../sdk/src/fixable.ts';
import type { Postback } from '../sdk/src/tributary.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import { exit, UsageError, describeResult, openTributary, type Command } from './command.ts';
import { readPostbackLines, writePostbackLines } from './postback-lines.ts';

export const replay: Command = {
  usage: 'replay <failed.jsonl> [--out left.jsonl]',
  does: apiMessage('cli_replay.does'),
  stopsItself: true,
  async run({ words: [path], flags, settings }, terminal) {
    if (path === undefined) throw new UsageError(apiMessage('cli_replay.name_a_file'));
    // Reads all lines before it sends one, so that a malformed file is rejected without sending half of it.
    const postbacks = readPostbackLines(await terminal.read(path));
    const tributary = openTributary(settings);
    const left: Postback[] = [];
    let refused = 0;
    let isWrong = false;
    let isAway = false;
    for (const postback of postbacks) {
      if (isAway || terminal.signal.aborted) {
        left.push(postback);
        continue;
      }
      const result = await tributary.send(postback);
      terminal.say(`${describeResult(result)} · ${describePostback(postback)}`);
      const isKept = result.retry !== 'no' || isFixable(result);
      if (isKept) left.push(postback);
      else if (!result.ok) refused += 1;
      isWrong ||= isFixable(result);
      // The service is unreachable, so every other report would only wait as long. A report on hold blocks no other report.
      isAway = result.retry === 'later';
    }
    const sent = postbacks.length - left.length - refused;
    terminal.say(apiMessage('cli_replay.counts', { sent, refused, left: left.length }));
    if (left.length === 0) return refused > 0 ? exit.wrong : exit.done;
    const out = flags.out ?? `${path.replace(/\.jsonl$/, '')}.left.jsonl`;
    await terminal.write(out, writePostbackLines(left));
    terminal.say(apiMessage('cli_replay.wrote_left', { file: out }));
    return isWrong ? exit.wrong : exit.later;
  },
};

function describePostback({ operation, body }: Postback): string {
  const id = /"(?:refund_id|order_id|event_id|lead_id)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1];
  return `${operation} ${id ?? ''}`.trim();
}
