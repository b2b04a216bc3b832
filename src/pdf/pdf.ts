import { createRequire } from 'node:module';

/** Amounts are right-aligned in their cells; text that does not fit is wrapped. */
export type PdfPage = {
  /** A large title with a small line above it. */
  readonly title: (small: string, large: string, mark: string) => void;
  /** Pairs of label and value, in columns. */
  readonly facts: (columns: ReadonlyArray<ReadonlyArray<readonly [string, string]>>) => void;
  /** A table: the first column is wide, the others are amounts. A strong row is a total. */
  readonly table: (
    heads: readonly string[],
    rows: ReadonlyArray<{ readonly cells: readonly string[]; readonly isStrong?: boolean }>,
  ) => void;
  readonly text: (sentence: string) => void;
};

const ink = '#1c2330';
const quiet = '#5b6472';
const line = '#d5d9e0';
const accent = '#0d6475';
const margin = 56;
const rowHeight = 20;
const figureWidth = 110;

/**
 * Creates an A4 document in memory; our documents are short. `name` is its title in the metadata. The library is loaded on first
 * use, because most processes never create one.
 */
export async function drawPdf(name: string, draw: (page: PdfPage) => void): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const paper = new PDFDocument({ size: 'A4', margin, info: { Title: name, Creator: 'Tributary' }, lang: 'en', displayTitle: true });
  const chunks: Buffer[] = [];
  const whole = new Promise<Buffer>((resolve, reject) => {
    paper.on('data', (chunk: Buffer) => chunks.push(chunk));
    paper.on('end', () => resolve(Buffer.concat(chunks)));
    paper.on('error', reject);
  });
  draw(pageOn(paper));
  paper.end();
  return whole;
}

/** The current position and style: the pen moves down the page, and on to the next one. */
type Pen = {
  y: number;
  readonly left: number;
  readonly width: number;
  readonly ensureSpace: (needed: number) => void;
  readonly write: (text: string, written: TextOptions) => void;
  readonly rule: (color: string) => void;
  readonly heightOf: (text: string, size: number) => number;
};

function penOn(paper: PDFKit.PDFDocument): Pen {
  const width = paper.page.width - 2 * margin;
  const pen: Pen = {
    y: margin,
    left: margin,
    width,
    ensureSpace(needed) {
      if (pen.y + needed <= paper.page.height - margin) return;
      paper.addPage();
      pen.y = margin;
    },
    write(text, { x, size, color, bold = false, isWrapped = false, ...options }) {
      const fitted = isWrapped ? {} : { height: size, ellipsis: true };
      const characters = readable(text);
      paper.font(fontFor(characters, bold)).fontSize(size).fillColor(color);
      // An amount is never truncated: if it is too wide for its column, it is written smaller.
      const wide = options.align === 'right' && options.width !== undefined ? paper.widthOfString(characters) / options.width : 1;
      if (wide > 1) paper.fontSize(Math.floor((size / wide) * 10) / 10);
      paper.text(characters, x, pen.y, { ...fitted, ...options });
    },
    rule(color) {
      paper
        .moveTo(margin, pen.y)
        .lineTo(margin + width, pen.y)
        .lineWidth(0.7)
        .strokeColor(color)
        .stroke();
    },
    heightOf: (text, size) => {
      const characters = readable(text);
      return paper.font(fontFor(characters, false)).fontSize(size).heightOfString(characters, { width });
    },
  };
  return pen;
}

function pageOn(paper: PDFKit.PDFDocument): PdfPage {
  const pen = penOn(paper);
  const { left, width } = pen;
  return {
    title(small, large, mark) {
      pen.write(small, { x: left, size: 10, color: quiet, width });
      pen.write(mark, { x: left, size: 11, color: accent, bold: true, width, align: 'right' });
      pen.y += 16;
      pen.write(large, { x: left, size: 24, color: ink, bold: true, width });
      pen.y += 42;
    },
    facts(columns) {
      const top = pen.y;
      const columnWidth = width / columns.length;
      const ends = columns.map((facts, place) => {
        pen.y = top;
        for (const fact of facts) writeFact(pen, fact, { x: left + place * columnWidth, width: columnWidth - 12 });
        return pen.y;
      });
      pen.y = Math.max(...ends) + 12;
    },
    table: (heads, rows) => writeTable(pen, heads, rows),
    text(sentence) {
      const height = pen.heightOf(sentence, 9);
      pen.ensureSpace(height);
      pen.write(sentence, { x: left, size: 9, color: quiet, width, isWrapped: true });
      pen.y += height + 6;
    },
  };
}

function writeFact(pen: Pen, [what, value]: readonly [string, string], place: Pick<TextOptions, 'x' | 'width'>): void {
  pen.write(what, { ...place, size: 8.5, color: quiet });
  pen.y += 12;
  pen.write(value, { ...place, size: 10.5, color: ink });
  pen.y += 20;
}

function writeTable(pen: Pen, heads: readonly string[], rows: Parameters<PdfPage['table']>[1]): void {
  pen.ensureSpace(3 * rowHeight);
  writeRow(pen, heads, { size: 8.5, color: quiet });
  pen.y -= 4;
  pen.rule(line);
  pen.y += 7;
  for (const { cells, isStrong = false } of rows) {
    pen.ensureSpace(rowHeight);
    if (isStrong) {
      pen.y -= 4;
      pen.rule(ink);
      pen.y += 8;
    }
    writeRow(pen, cells, { size: 10.5, color: ink, bold: isStrong });
  }
  pen.y += 14;
}

/** The first cell gets the width that the amounts leave. */
function writeRow(pen: Pen, [first = '', ...amounts]: readonly string[], style: Pick<TextOptions, 'color' | 'bold' | 'size'>): void {
  const { left, width } = pen;
  const amountsFrom = left + width - amounts.length * figureWidth;
  pen.write(first, { x: left, width: amountsFrom - left - 8, ...style });
  amounts.forEach((cell, place) => pen.write(cell, { x: amountsFrom + place * figureWidth, width: figureWidth, align: 'right', ...style }));
  pen.y += rowHeight;
}

type TextOptions = {
  readonly x: number;
  readonly size: number;
  readonly color: string;
  readonly bold?: boolean;
  readonly width?: number;
  readonly align?: 'right';
  /** Otherwise the text is one line, and an ellipsis replaces what does not fit. */
  readonly isWrapped?: boolean;
};

/**
 * The standard fonts have the characters of Western Europe and need no embedding. Other text (Polish, Czech, Greek, Cyrillic …)
 * uses a font of ours, of which only the used glyphs are embedded. Characters that it lacks, such as Chinese, become question
 * marks; the CSV export contains every name unchanged.
 */
function fontFor(characters: string, bold: boolean): string {
  if ([...characters].every(isWestern)) return bold ? 'Helvetica-Bold' : 'Helvetica';
  return createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/DejaVuSans${bold ? '-Bold' : ''}.ttf`);
}

const readable = (text: string): string => [...text.normalize('NFC')].map(readableCharacter).join('');

function readableCharacter(character: string): string {
  if (isWestern(character) || isWide(character)) return character;
  return [...character.normalize('NFD')].find((part) => isWestern(part) || isWide(part)) ?? '?';
}

const beyondLatin1 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const isWestern = (character: string): boolean => /^[\u0020-\u007e\u00a0-\u00ff]$/u.test(character) || beyondLatin1.includes(character);

/** Latin with all its diacritics, Greek, Cyrillic and Armenian, as far as the font has them, with punctuation and currency signs. */
const isWide = (character: string): boolean => wideAlphabets.test(character) || wideSigns.test(character);
const wideAlphabets = /^[\u0100-\u024f\u0370-\u0525\u0531-\u055f\u0561-\u0587\u1e00-\u1ef9\u1f00-\u1fff]$/u;
const wideSigns = /^[\u2010-\u2027\u2030-\u205e\u20a0-\u20b5\u20b8-\u20ba\u20bd\u2116]$/u;
