/** The part of the package that we use; it has no types of its own. Distances are in units of the font. */
declare module 'fontkit' {
  export type PathCommand = {
    readonly command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath';
    readonly args: readonly number[];
  };
  type Run = {
    readonly advanceWidth: number;
    readonly glyphs: ReadonlyArray<{ readonly path: { readonly commands: readonly PathCommand[] } }>;
    readonly positions: ReadonlyArray<{ readonly xAdvance: number; readonly xOffset: number; readonly yOffset: number }>;
  };
  export type Font = {
    readonly unitsPerEm: number;
    readonly layout: (text: string) => Run;
    readonly hasGlyphForCodePoint: (codePoint: number) => boolean;
  };
  export function openSync(path: string): Font;
}
