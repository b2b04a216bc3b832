import { lintPostback, lintTextLengthMax } from '../src/lint/lint.ts';
import { maskKeysIn } from '../src/core/mask-keys.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import { exit, UsageError, type Command } from './command.ts';
import { readOperation } from './postback-lines.ts';

export const lint: Command = {
  usage: 'lint <file|-> [--operation conversion] [--json]',
  does: apiMessage('cli_lint.does'),
  async run({ words: [path], flags }, terminal) {
    if (path === undefined) throw new UsageError(apiMessage('cli_lint.name_a_file'));
    const text = await terminal.read(path);
    if (text.length > lintTextLengthMax) throw new UsageError(apiMessage('cli_lint.too_long', { most: String(lintTextLengthMax) }));
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
    terminal.say(`\n${apiMessage('cli_lint.corrected')}`);
    for (const { field, message } of found.corrected.changes) terminal.say(`      ${field} ${message}`);
    terminal.say(found.corrected.body);
    for (const { field, message } of found.corrected.faults)
      terminal.say(apiMessage('cli_lint.still_wrong', { field: field ?? '', message }));
    return code;
  },
};
