/** Outlines of glyphs to pixels, with smooth edges. */

/** How much of each pixel is filled, from 0 to 1, row by row. */
export type Coverage = { readonly width: number; readonly height: number; readonly shares: Float32Array };

export type Edge = { readonly fromX: number; readonly fromY: number; readonly toX: number; readonly toY: number };

/** Lines per pixel. Along a line, the ends of what is filled are exact. */
const linesPerPixel = 4;

/** Fills what is inside of closed outlines, by the nonzero rule of fonts. Everything outside of the picture is left out. */
export function fillOutlines({ width, height, shares }: Coverage, edges: readonly Edge[]): void {
  const lines = new Map<number, Array<{ readonly x: number; readonly turn: 1 | -1 }>>();
  for (const { fromX, fromY, toX, toY } of edges) {
    const [top, bottom] = fromY < toY ? [fromY, toY] : [toY, fromY];
    const first = Math.max(0, Math.ceil(top * linesPerPixel - 0.5));
    const last = Math.min(height * linesPerPixel, Math.ceil(bottom * linesPerPixel - 0.5));
    for (let line = first; line < last; line++) {
      const y = (line + 0.5) / linesPerPixel;
      const x = fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX);
      const crossings = lines.get(line) ?? [];
      crossings.push({ x: Math.min(Math.max(x, 0), width), turn: fromY < toY ? 1 : -1 });
      lines.set(line, crossings);
    }
  }
  for (const [line, crossings] of lines) {
    const row = Math.floor(line / linesPerPixel) * width;
    let winding = 0;
    let start = 0;
    for (const { x, turn } of crossings.sort((one, other) => one.x - other.x)) {
      if (winding === 0) start = x;
      winding += turn;
      if (winding === 0) fillSpan(shares, { row, start, end: x });
    }
  }
}

type Span = { readonly row: number; readonly start: number; readonly end: number };

function fillSpan(shares: Float32Array, { row, start, end }: Span): void {
  for (let pixel = Math.floor(start); pixel < end; pixel++) {
    const share = Math.min(pixel + 1, end) - Math.max(pixel, start);
    shares[row + pixel] = Math.min(1, (shares[row + pixel] ?? 0) + share / linesPerPixel);
  }
}
