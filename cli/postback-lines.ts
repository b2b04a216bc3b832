import { operations } from '../sdk/src/reports.ts';
import type { Operation, Postback } from '../sdk/src/tributary.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import { UsageError } from './command.ts';

export function readOperation(word: string | undefined): Operation {
  const operation = operations.find((candidate) => candidate === word);
  if (operation === undefined)
    throw new UsageError(apiMessage('cli_postback_lines.name_the_operation', { operations: operations.join(', ') }));
  return operation;
}

/** One report per line, `{"operation":…,"body":…}` and other fields: the format of the file queue, of `reconcile` and of `replay`. */
export function readPostbackLines(text: string): readonly Postback[] {
  const lines = text.split('\n').map((line, place) => ({ line: line.trim(), number: place + 1 }));
  return lines.filter(({ line }) => line !== '').map(({ line, number }) => readLine(line, number));
}

const example = '{"operation":"conversion","body":"…"}';

function readLine(line: string, number: number): Postback {
  const json = parse(line);
  const operation = operations.find((candidate) => candidate === json?.['operation']);
  const body = json?.['body'];
  if (operation !== undefined && typeof body === 'string') return { operation, body };
  throw new UsageError(apiMessage('cli_postback_lines.not_a_report', { line: String(number), example }));
}

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const json: unknown = JSON.parse(line);
    return typeof json === 'object' && json !== null ? Object.fromEntries(Object.entries(json)) : null;
  } catch {
    return null;
  }
}

export const writePostbackLines = (postbacks: readonly Postback[]): string =>
  postbacks.map(({ operation, body }) => `${JSON.stringify({ operation, body })}\n`).join('');
