import { lintPostback } from '../src/lint/lint.ts';
import { isFixable } from '../sdk/src/fixable.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import { exitOf, UsageError, describeResult, openTributary, type Command } from './command.ts';
import { readOperation, writePostbackLines } from './postback-lines.ts';

export const send: Command = {
  usage: 'send <operation> <file|-> [--json] [--failed failed.jsonl]',
  does: apiMessage('cli_send.does'),
  async run({ words: [word, path], flags, settings }, terminal) {
    const operation = readOperation(word);
    if (path === undefined) throw new UsageError(apiMessage('cli_send.name_a_file'));
    const body = await terminal.read(path);
    const isForPrograms = flags.json === true;
    if (!isForPrograms)
      for (const { field, message } of lintPostback({ operation, text: body, now: new Date() }).warnings)
        terminal.say(`note  ${field ?? ''} ${message}`);
    const result = await openTributary(settings).send({ operation, body });
    terminal.say(isForPrograms ? JSON.stringify(result) : describeResult(result));
    if (!result.ok && (result.retry !== 'no' || isFixable(result)) && flags.failed !== undefined) {
      await terminal.append(flags.failed, writePostbackLines([result.postback]));
      if (!isForPrograms) terminal.say(apiMessage('cli_send.stored', { file: flags.failed }));
    }
    return exitOf(result);
  },
};
