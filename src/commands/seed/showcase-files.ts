import { drawPdf } from '../../pdf/pdf.ts';
import { encodePng } from '../../program-page/encode-png.ts';
import { fillOutlines, type Coverage, type Edge } from '../../program-page/fill-outlines.ts';
import { channelsOf, textOn } from '../../program-page/page-style.ts';
import { brandGuide, programPage } from './story.ts';

type Point = readonly [x: number, y: number];
type Outline = readonly Point[];
/** Outlines that are filled together: one of the other direction is a hole. */
type Shape = readonly Outline[];

/** From one angle to the other, in degrees; 90 is down. */
function arc([x, y]: Point, radius: number, [from, to]: Point): Outline {
  const degreesPerStep = 6;
  const steps = Math.ceil(Math.abs(to - from) / degreesPerStep);
  return Array.from({ length: steps + 1 }, (_none, step): Point => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

const box = ([left, top]: Point, [right, bottom]: Point): Outline => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/** A wave of constant width. */
function steam(x: number): Outline {
  const side = (offset: number) =>
    Array.from({ length: 19 }, (_none, y): Point => [x + 2.5 * Math.sin((y / 18) * 2 * Math.PI) + offset, 16 + y]);
  return [...side(-1.3), ...side(1.3).toReversed()];
}

/** In a square of 100 × 100. */
const steamingCup: readonly Shape[] = [
  [[[24, 42], [66, 42], ...arc([57, 66], 9, [0, 90]), ...arc([33, 66], 9, [90, 180])]],
  [arc([66, 54], 12, [-90, 90]), arc([66, 54], 7, [90, -90])],
  [arc([45, 80], 30, [0, 360]).map(([x, y]): Point => [x, 80 + (y - 80) / 12])],
  ...[33, 45, 57].map((x) => [steam(x)]),
];

/** A box with a lid, a ribbon, and a bow, in a square of 100 × 100. */
const giftBox: readonly Shape[] = [
  [box([22, 50], [46, 84])],
  [box([54, 50], [78, 84])],
  [box([18, 36], [46, 46])],
  [box([54, 36], [82, 46])],
  [arc([39, 24], 10, [0, 360]), arc([39, 24], 6, [360, 0])],
  [arc([61, 24], 10, [0, 360]), arc([61, 24], 6, [360, 0])],
];

type Placed = { readonly shapes: readonly Shape[]; readonly left: number; readonly top: number; readonly size: number };
const { accentColor } = programPage;

function drawShapes(width: number, height: number, placed: readonly Placed[]): Promise<Buffer> {
  const coverage: Coverage = { width, height, shares: new Float32Array(width * height) };
  for (const { shapes, ...place } of placed)
    for (const outlines of shapes)
      fillOutlines(
        coverage,
        outlines.flatMap((outline) => edgesOf(outline, place)),
      );
  return encodePng(coverage, { background: channelsOf(accentColor), ink: channelsOf(textOn(accentColor)) });
}

function edgesOf(outline: Outline, { left, top, size }: Omit<Placed, 'shapes'>): readonly Edge[] {
  const points = outline.map(([x, y]): Point => [left + (x * size) / 100, top + (y * size) / 100]);
  return points.map(([fromX, fromY], place) => {
    const [toX, toY] = points[(place + 1) % points.length] ?? [fromX, fromY];
    return { fromX, fromY, toX, toY };
  });
}

/** In the accent color of the public page, like the logo. */
export const drawLogo = (): Promise<Buffer> => drawShapes(320, 320, [{ shapes: steamingCup, left: 8, top: 0, size: 320 }]);

/** For posts of creators, in the size of link previews. */
export const drawGiftBox = (): Promise<Buffer> =>
  drawShapes(1_200, 630, [
    { shapes: giftBox, left: 130, top: 80, size: 470 },
    { shapes: steamingCup, left: 620, top: 80, size: 470 },
  ]);

export const drawBrandGuide = (): Promise<Buffer> =>
  drawPdf(brandGuide.title, (page) => {
    page.title(brandGuide.store, brandGuide.title, '');
    page.facts([brandGuide.facts]);
    for (const sentence of brandGuide.sentences) page.text(sentence);
  });
