import { isMendable } from '../sdk/src/mendable.ts';
import type { Postback } from '../sdk/src/tributary.ts';
import { exit, Mistake, told, tributaryOf, type Command } from './command.ts';
import { readPostbackLines, writePostbackLines } from './postback-lines.ts';

export const replay: Command = {
  usage: 'replay <failed.jsonl> [--out left.jsonl]',
  does: 'sends kept reports again, in their order, byte for byte; what must wait goes into another file',
  stopsItself: true,
  async run({ words: [path], flags, settings }, terminal) {
    if (path === undefined) throw new Mistake('say which file: replay failed.jsonl');
    // All are read before one is sent: half a file is a mistake to be told, not half the work.
    const postbacks = readPostbackLines(await terminal.read(path));
    const tributary = tributaryOf(settings);
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
      terminal.say(`${told(result)} · ${subjectOf(postback)}`);
      const isKept = result.retry !== 'no' || isMendable(result);
      if (isKept) left.push(postback);
      else if (!result.ok) refused += 1;
      isWrong ||= isMendable(result);
      // The service is away: the rest would only wait as long for nothing. What is held back alone holds up nobody.
      isAway = result.retry === 'later';
    }
    const sent = postbacks.length - left.length - refused;
    terminal.say(`${sent} accepted, ${refused} refused for good, ${left.length} left`);
    if (left.length === 0) return refused > 0 ? exit.wrong : exit.done;
    const out = flags.out ?? `${path.replace(/\.jsonl$/, '')}.left.jsonl`;
    await terminal.write(out, writePostbackLines(left));
    terminal.say(`What is left is in ${out}`);
    return isWrong ? exit.wrong : exit.later;
  },
};

function subjectOf({ operation, body }: Postback): string {
  const id = /"(?:order_id|event_id)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1];
  return `${operation} ${id ?? ''}`.trim();
}
