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
const accent = '#155e75';
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

function pageOn(paper: PDFKit.PDFDocument): PdfPage {
  const left = margin;
  const width = paper.page.width - 2 * margin;
  const bottom = paper.page.height - margin;
  let y = margin;
  const room = (needed: number) => {
    if (y + needed <= bottom) return;
    paper.addPage();
    y = margin;
  };
  const write = (text: string, { x, size, color, bold = false, isWrapped = false, ...options }: Written) =>
    paper
      .font(bold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(size)
      .fillColor(color)
      .text(readable(text), x, y, { ...(isWrapped ? {} : { height: size, ellipsis: true }), ...options });
  const rule = (color = line) =>
    paper
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(0.7)
      .strokeColor(color)
      .stroke();
  const row = (cells: readonly string[], style: Pick<Written, 'color' | 'bold' | 'size'>) => {
    const [first = '', ...figures] = cells;
    write(first, { x: left, width: width - figures.length * figureWidth - 8, ...style });
    figures.forEach((cell, place) =>
      write(cell, { x: left + width - (figures.length - place) * figureWidth, width: figureWidth, align: 'right', ...style }),
    );
    y += rowHeight;
  };
  return {
    title(small, large, mark) {
      write(small, { x: left, size: 10, color: quiet, width });
      write(mark, { x: left, size: 11, color: accent, bold: true, width, align: 'right' });
      y += 16;
      write(large, { x: left, size: 24, color: ink, bold: true, width });
      y += 42;
    },
    facts(columns) {
      const columnWidth = width / columns.length;
      const top = y;
      const heights = columns.map((facts, place) => {
        y = top;
        for (const [what, value] of facts) {
          write(what, { x: left + place * columnWidth, size: 8.5, color: quiet, width: columnWidth - 12 });
          y += 12;
          write(value, { x: left + place * columnWidth, size: 10.5, color: ink, width: columnWidth - 12 });
          y += 20;
        }
        return y;
      });
      y = Math.max(...heights) + 12;
    },
    table(heads, rows) {
      room(3 * rowHeight);
      row(heads, { size: 8.5, color: quiet });
      y -= 4;
      rule();
      y += 7;
      for (const { cells, isStrong = false } of rows) {
        room(rowHeight);
        if (isStrong) {
          y -= 4;
          rule(ink);
          y += 8;
        }
        row(cells, { size: 10.5, color: ink, bold: isStrong });
      }
      y += 14;
    },
    text(sentence) {
      paper.font('Helvetica').fontSize(9);
      const height = paper.heightOfString(readable(sentence), { width });
      room(height);
      write(sentence, { x: left, size: 9, color: quiet, width, isWrapped: true });
      y += height + 6;
    },
  };
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
 * The fonts that every reader has know the letters of Western Europe. Marks of other Latin letters are dropped, and what is
 * written in another script stands as a question mark: the CSV of the same thing has every name as it is.
 */
function readable(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => (isKnown(letter) ? letter : ([...letter.normalize('NFD')].find(isKnown) ?? '?')))
    .join('');
}

const beyondLatin1 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const isKnown = (letter: string): boolean => /^[\u0020-\u007e\u00a0-\u00ff]$/u.test(letter) || beyondLatin1.includes(letter);
