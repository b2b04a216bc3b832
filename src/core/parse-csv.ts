/** The cells of each record, or the record with the first error, counted from 1. */
export type ParsedCsv =
  | { readonly ok: true; readonly records: ReadonlyArray<readonly string[]> }
  | { readonly ok: false; readonly record: number; readonly reason: 'open_quote' | 'text_after_quote' };

export type Separator = ',' | ';' | '\t';

const separators: readonly Separator[] = [',', ';', '\t'];
const byteOrderMark = '\u{feff}';

/**
 * Parses CSV as in RFC 4180. More is accepted than the RFC describes, because spreadsheets write it: a byte order mark, line breaks of one
 * character, records of different lengths, and the separators of other locales, which are recognized by the first line. Empty lines are
 * skipped.
 */
export function parseCsv(text: string): ParsedCsv {
  const content = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const separator = separatorOf(content);
  const records: string[][] = [];
  let position = 0;
  while (position < content.length) {
    const read = readRecord(content, position, separator);
    if ('reason' in read) return { ok: false, record: records.length + 1, reason: read.reason };
    if (read.cells.length > 1 || read.cells[0] !== '') records.push(read.cells);
    position = read.next;
  }
  return { ok: true, records };
}

/** The separator that is most frequent in the first line, outside of quotes. */
function separatorOf(content: string): Separator {
  const counts: Record<Separator, number> = { ',': 0, ';': 0, '\t': 0 };
  let isQuoted = false;
  for (const character of content) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && isSeparator(character)) counts[character] += 1;
  }
  return separators.reduce((best, one) => (counts[one] > counts[best] ? one : best));
}

const isSeparator = (character: string): character is Separator => separators.some((one) => one === character);

type ReadRecord = { readonly cells: string[]; readonly next: number } | { readonly reason: 'open_quote' | 'text_after_quote' };

function readRecord(content: string, start: number, separator: Separator): ReadRecord {
  const cells: string[] = [];
  let position = start;
  for (;;) {
    const cell = content[position] === '"' ? readQuoted(content, position) : readPlain(content, position, separator);
    if (cell === null) return { reason: 'open_quote' };
    cells.push(cell.text);
    position = cell.next;
    if (content[position] === separator) position += 1;
    else if (position >= content.length) return { cells, next: position };
    else if (content[position] === '\r' && content[position + 1] === '\n') return { cells, next: position + 2 };
    else if (content[position] === '\r' || content[position] === '\n') return { cells, next: position + 1 };
    else return { reason: 'text_after_quote' };
  }
}

type Cell = { readonly text: string; readonly next: number };

function readPlain(content: string, start: number, separator: Separator): Cell {
  let end = start;
  while (end < content.length && content[end] !== separator && content[end] !== '\n' && content[end] !== '\r') end += 1;
  return { text: content.slice(start, end), next: end };
}

/** Null if the quote is never closed. A doubled quote is a quote of the text. */
function readQuoted(content: string, start: number): Cell | null {
  let text = '';
  let from = start + 1;
  for (;;) {
    const quote = content.indexOf('"', from);
    if (quote === -1) return null;
    text += content.slice(from, quote);
    if (content[quote + 1] !== '"') return { text, next: quote + 1 };
    text += '"';
    from = quote + 2;
  }
}
