import { createRequire } from 'node:module';
import type { Font, PathCommand } from 'fontkit';
import { encodePng } from './encode-png.ts';
import { fillOutlines, type Coverage, type Edge } from './fill-outlines.ts';
import { channelsOf, textOn } from './page-style.ts';

export type PreviewTexts = { readonly program: string; readonly store: string; readonly host: string; readonly rate: string };

/** What link previews show, in the size that they expect. */
const width = 1_200;
const height = 630;
const margin = 80;
const linesMax = 2;

/** Draws the names and the first rate on the accent color. The font has no Chinese or Japanese; the host replaces such a name. */
export async function drawPreviewImage({ program, store, host, rate }: PreviewTexts, accent: string): Promise<Buffer> {
  fonts ??= openFonts();
  const { bold, regular } = await fonts;
  const coverage: Coverage = { width, height, shares: new Float32Array(width * height) };
  let y = 190;
  for (const line of wrap(hasGlyphs(bold, program) ? program : host, bold, 80)) {
    writeLine(coverage, line, { font: bold, size: 80, y });
    y += 100;
  }
  writeLine(coverage, fit(hasGlyphs(regular, store) ? store : host, regular, 44), { font: regular, size: 44, y });
  if (hasGlyphs(regular, rate)) writeLine(coverage, fit(rate, regular, 44), { font: regular, size: 44, y: height - margin });
  return encodePng(coverage, { background: channelsOf(accent), ink: channelsOf(textOn(accent)) });
}

/** Opened for the first image, because most processes draw none. */
let fonts: ReturnType<typeof openFonts> | undefined;

async function openFonts(): Promise<{ readonly bold: Font; readonly regular: Font }> {
  const { openSync } = await import('fontkit');
  const fontAt = (name: string) => openSync(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
  return { bold: fontAt('DejaVuSans-Bold'), regular: fontAt('DejaVuSans') };
}

const hasGlyphs = (font: Font, text: string): boolean =>
  [...text].every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));

const widthOf = (text: string, font: Font, size: number): number => (font.layout(text).advanceWidth * size) / font.unitsPerEm;
const fits = (text: string, font: Font, size: number): boolean => widthOf(text, font, size) <= width - 2 * margin;

/** Whole words on as many lines as permitted; the last line is shortened. */
function wrap(text: string, font: Font, size: number): readonly string[] {
  const words = text.split(/\s+/);
  const lines: string[] = [];
  while (words.length > 0 && lines.length < linesMax - 1) {
    let count = 1;
    while (count < words.length && fits(words.slice(0, count + 1).join(' '), font, size)) count++;
    lines.push(fit(words.splice(0, count).join(' '), font, size));
  }
  return words.length === 0 ? lines : [...lines, fit(words.join(' '), font, size)];
}

/** Halves the range in which the longest text that fits must be: measuring a text is what takes time. */
function fit(text: string, font: Font, size: number): string {
  if (fits(text, font, size)) return text;
  const characters = [...text];
  const shortened = (count: number) => `${characters.slice(0, count).join('').trimEnd()}…`;
  let [most, tooMany] = [0, characters.length];
  while (tooMany - most > 1) {
    const count = Math.floor((most + tooMany) / 2);
    if (fits(shortened(count), font, size)) most = count;
    else tooMany = count;
  }
  return shortened(most);
}

type Place = { readonly font: Font; readonly size: number; readonly y: number };

function writeLine(coverage: Coverage, text: string, { font, size, y }: Place): void {
  const { glyphs, positions } = font.layout(text);
  const scale = size / font.unitsPerEm;
  let x = margin;
  for (const [index, { path }] of glyphs.entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    const origin = { x: x + xOffset * scale, y: y - yOffset * scale };
    fillOutlines(
      coverage,
      edgesOf(path.commands, ([px = 0, py = 0]) => [origin.x + px * scale, origin.y - py * scale]),
    );
    x += xAdvance * scale;
  }
}

type Point = readonly [x: number, y: number];
const stepsPerCurve = 8;

/** Curves become short lines. */
function edgesOf(commands: readonly PathCommand[], toPicture: (args: readonly number[]) => Point): readonly Edge[] {
  const edges: Edge[] = [];
  let start: Point = [0, 0];
  let at: Point = start;
  const lineTo = (to: Point) => {
    edges.push({ fromX: at[0], fromY: at[1], toX: to[0], toY: to[1] });
    at = to;
  };
  for (const { command, args } of commands) {
    if (command === 'closePath') lineTo(start);
    else if (command === 'moveTo') [start, at] = [toPicture(args), toPicture(args)];
    else {
      const points = [at];
      for (let index = 0; index < args.length; index += 2) points.push(toPicture(args.slice(index, index + 2)));
      const steps = command === 'lineTo' ? 1 : stepsPerCurve;
      for (let step = 1; step <= steps; step++) lineTo(pointOn(points, step / steps));
    }
  }
  return edges;
}

/** A point of a Bézier curve with any number of control points. */
function pointOn(points: readonly Point[], share: number): Point {
  const [first = [0, 0], ...others] = points;
  if (others.length === 0) return first;
  const nearer = others.map((point, index): Point => {
    const before = points[index] ?? first;
    return [before[0] + (point[0] - before[0]) * share, before[1] + (point[1] - before[1]) * share];
  });
  return pointOn(nearer, share);
}
