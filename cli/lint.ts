import { lintPostback, lintTextLengthMax } from '../src/lint/lint.ts';
import { maskKeysIn } from '../src/core/mask-keys.ts';
import { exit, UsageError, type Command } from './command.ts';
import { readOperation } from './postback-lines.ts';

export const lint: Command = {
  usage: 'lint <file|-> [--operation conversion] [--json]',
  does: 'checks a body, or a whole curl command, without sending it, and prints a corrected body',
  async run({ words: [path], flags }, terminal) {
    if (path === undefined) throw new UsageError('name the file with the body or the curl command, or - for standard input');
    const text = await terminal.read(path);
    if (text.length > lintTextLengthMax) throw new UsageError(`the input has more than ${lintTextLengthMax} characters`);
    const operation = flags.operation === undefined ? null : readOperation(flags.operation);
    // Terminal output is often stored, in a scroll-back buffer or a build log.
    const found = maskKeysIn(lintPostback({ operation, text, now: new Date() }));
    const code = found.faults.length > 0 ? exit.wrong : exit.done;
    if (flags.json === true) {
      terminal.say(JSON.stringify(found));
      return code;
    }
    for (const { status, reason, field, message } of found.faults) terminal.say(`WRONG ${status} ${reason} ${field ?? ''}: ${message}`);
    for (const { code: name, field, message } of found.warnings) terminal.say(`note  ${name} ${field ?? ''}: ${message}`);
    if (code === exit.done) terminal.say(`good  ${found.operation}`);
    if (found.corrected === null) return code;
    terminal.say(`\nCorrected:`);
    for (const { field, message } of found.corrected.changes) terminal.say(`      ${field} ${message}`);
    terminal.say(found.corrected.body);
    for (const { field, message } of found.corrected.faults) terminal.say(`STILL WRONG ${field ?? ''}: ${message}`);
    return code;
  },
};
