import { createRequire } from 'node:module';

/** Whole cents of a cell stand right-aligned; what a text does not fit into goes on in the next line. */
export type PdfPage = {
  /** A large word at the top, and what stands small above it. */
  readonly title: (small: string, large: string, mark: string) => void;
  /** Names and what they are, in columns beside each other. */
  readonly facts: (columns: ReadonlyArray<ReadonlyArray<readonly [string, string]>>) => void;
  /** A table: the first column is wide, the others are figures. A row that is strong closes a sum. */
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
 * A document of A4 pages, in memory: what is drawn on it is short. `name` is its title for programs. The library is loaded by the
 * first one: most processes never print.
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

/** Where the next thing is drawn, and how: the pen goes down the page, and on to the next one. */
type Pen = {
  y: number;
  readonly left: number;
  readonly width: number;
  readonly room: (needed: number) => void;
  readonly write: (text: string, written: Written) => void;
  readonly rule: (color: string) => void;
  readonly heightOf: (text: string, size: number) => number;
};

function penOn(paper: PDFKit.PDFDocument): Pen {
  const width = paper.page.width - 2 * margin;
  const pen: Pen = {
    y: margin,
    left: margin,
    width,
    room(needed) {
      if (pen.y + needed <= paper.page.height - margin) return;
      paper.addPage();
      pen.y = margin;
    },
    write(text, { x, size, color, bold = false, isWrapped = false, ...options }) {
      const fitted = isWrapped ? {} : { height: size, ellipsis: true };
      const letters = readable(text);
      paper.font(fontFor(letters, bold)).fontSize(size).fillColor(color);
      // An amount is never cut: one too wide for its column is written smaller.
      const wide = options.align === 'right' && options.width !== undefined ? paper.widthOfString(letters) / options.width : 1;
      if (wide > 1) paper.fontSize(Math.floor((size / wide) * 10) / 10);
      paper.text(letters, x, pen.y, { ...fitted, ...options });
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
      const letters = readable(text);
      return paper.font(fontFor(letters, false)).fontSize(size).heightOfString(letters, { width });
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
      pen.room(height);
      pen.write(sentence, { x: left, size: 9, color: quiet, width, isWrapped: true });
      pen.y += height + 6;
    },
  };
}

function writeFact(pen: Pen, [what, value]: readonly [string, string], place: Pick<Written, 'x' | 'width'>): void {
  pen.write(what, { ...place, size: 8.5, color: quiet });
  pen.y += 12;
  pen.write(value, { ...place, size: 10.5, color: ink });
  pen.y += 20;
}

function writeTable(pen: Pen, heads: readonly string[], rows: Parameters<PdfPage['table']>[1]): void {
  pen.room(3 * rowHeight);
  writeRow(pen, heads, { size: 8.5, color: quiet });
  pen.y -= 4;
  pen.rule(line);
  pen.y += 7;
  for (const { cells, isStrong = false } of rows) {
    pen.room(rowHeight);
    if (isStrong) {
      pen.y -= 4;
      pen.rule(ink);
      pen.y += 8;
    }
    writeRow(pen, cells, { size: 10.5, color: ink, bold: isStrong });
  }
  pen.y += 14;
}

/** The first cell takes what the figures leave. */
function writeRow(pen: Pen, [first = '', ...figures]: readonly string[], style: Pick<Written, 'color' | 'bold' | 'size'>): void {
  const { left, width } = pen;
  const figuresFrom = left + width - figures.length * figureWidth;
  pen.write(first, { x: left, width: figuresFrom - left - 8, ...style });
  figures.forEach((cell, place) => pen.write(cell, { x: figuresFrom + place * figureWidth, width: figureWidth, align: 'right', ...style }));
  pen.y += rowHeight;
}

type Written = {
  readonly x: number;
  readonly size: number;
  readonly color: string;
  readonly bold?: boolean;
  readonly width?: number;
  readonly align?: 'right';
  /** One that is not goes on in no second line: what does not fit ends in dots. */
  readonly isWrapped?: boolean;
};

/**
 * The fonts that every reader has know the letters of Western Europe, and cost no byte in the file. What has others (Polish, Czech,
 * Greek, Cyrillic …) is written in a font of ours, of which the letters that occur go into the file. What that has not either, such as
 * Chinese, stands as a question mark: the CSV of the same thing has every name as it is.
 */
function fontFor(letters: string, bold: boolean): string {
  if ([...letters].every(isWestern)) return bold ? 'Helvetica-Bold' : 'Helvetica';
  return createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/DejaVuSans${bold ? '-Bold' : ''}.ttf`);
}

const readable = (text: string): string => [...text.normalize('NFC')].map(readableLetter).join('');

function readableLetter(letter: string): string {
  if (isWestern(letter) || isWide(letter)) return letter;
  return [...letter.normalize('NFD')].find((part) => isWestern(part) || isWide(part)) ?? '?';
}

const beyondLatin1 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const isWestern = (letter: string): boolean => /^[\u0020-\u007e\u00a0-\u00ff]$/u.test(letter) || beyondLatin1.includes(letter);

/** Latin with all its marks, Greek, Cyrillic and Armenian, as far as the font has them, with their punctuation and signs of money. */
const isWide = (letter: string): boolean => wideLetters.test(letter) || wideSigns.test(letter);
const wideLetters = /^[\u0100-\u024f\u0370-\u0525\u0531-\u055f\u0561-\u0587\u1e00-\u1ef9\u1f00-\u1fff]$/u;
const wideSigns = /^[\u2010-\u2027\u2030-\u205e\u20a0-\u20b5\u20b8-\u20ba\u20bd\u2116]$/u;
