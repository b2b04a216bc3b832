import { apiMessage } from '../src/messages/api-message.ts';
import { UsageError } from './command.ts';

export type Row = { readonly line: number; readonly of: (column: string) => string; readonly has: (column: string) => boolean };

/** Parses a table with a header: commas or semicolons, quoted text with line breaks, with or without a byte-order mark. */
export function readCsv(text: string): readonly Row[] {
  const records = parseRecords(text.replace(/^\uFEFF/, ''));
  const header = (records[0]?.cells ?? []).map((name) => name.trim().toLowerCase());
  return records
    .slice(1)
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .map(({ line, cells }) => {
      if (cells.length !== header.length)
        throw new UsageError(apiMessage('cli_csv.columns', { line: String(line), columns: cells.length, header: header.length }));
      return { line, of: (column) => (cells[header.indexOf(column)] ?? '').trim(), has: (column) => header.includes(column) };
    });
}

type Cells = { readonly line: number; readonly cells: readonly string[] };

function parseRecords(text: string): readonly Cells[] {
  const header = text.split('\n', 1)[0] ?? '';
  const mark = header.includes(';') && !header.includes(',') ? ';' : ',';
  const records: Cells[] = [];
  let record = { line: 1, cells: [''] };
  let line = 1;
  let isQuoted = false;
  const append = (character: string) => record.cells.push(`${record.cells.pop() ?? ''}${character}`);
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\n') line += 1;
    if (character === '"') {
      // A doubled quote within quotes is one quote.
      if (isQuoted && text.charAt(at + 1) === '"') append(text.charAt((at += 1)));
      else isQuoted = !isQuoted;
    } else if (isQuoted) append(character);
    else if (character === mark) record.cells.push('');
    else if (character === '\n') {
      records.push(record);
      record = { line, cells: [''] };
    } else if (character !== '\r') append(character);
  }
  if (isQuoted) throw new UsageError(apiMessage('cli_csv.open_quote', { line: String(record.line) }));
  return [...records, record];
}
