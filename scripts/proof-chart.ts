import type { SpeedResult } from './proof-results.ts';
import type { SpeedRow } from '../bench/speed-rows.ts';
import { comparisons, rowsOf } from './proof-words.ts';

/** Narrow, so that the text can be read on a phone, where the whole chart is as wide as the screen. */
const width = 480;
const edge = 12;
const rowHeight = 21;
const groupGap = 34;
const titleHeight = 26;
const axisHeight = 34;
/** The axis is logarithmic, because the ratios differ by three orders of magnitude. */
const [lowest, highest] = [0.1, 1_000];
const ticks = [0.1, 1, 10, 100, 1_000];

/** Colors of the guides. As an image it has no access to the page's style, but to the reader's preference for light or dark. */
const style = `text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:#1c2529}.quiet{fill:#556269}.grid{stroke:#e1e6e7}
.one{stroke:#556269}.range,.dot{stroke:#0d6475;fill:#0d6475}.aim{stroke:#8a5300}
@media(prefers-color-scheme:dark){text{fill:#dfe5e7}.quiet{fill:#a3afb5}.grid{stroke:#2a353b}.one{stroke:#a3afb5}
.range,.dot{stroke:#63bccb;fill:#63bccb}.aim{stroke:#f0c069}}`;

/** One row per comparison and size: the median as a dot, the lowest to the highest round as a line, the target as a mark. */
export function speedChart(speed: SpeedResult): string {
  const groups = comparisons.map((one) => ({ words: one.words, rows: rowsOf(speed, one) })).filter(({ rows }) => rows.length > 0);
  const bottom = groups.reduce((sum, { rows }) => sum + groupGap + rows.length * rowHeight, titleHeight);
  let top = titleHeight;
  const drawn = groups.map(({ words, rows }) => {
    const at = top;
    top += groupGap + rows.length * rowHeight;
    const label = `<text x="${edge}" y="${at + groupGap - 10}">${escapeXml(words)}</text>`;
    const lines = ticks.map((value) => drawLine(value, at + groupGap, rows.length * rowHeight)).join('');
    // Rows of one group differ in their size.
    const marks = rows.map((row, index) => drawRow(row, at + groupGap + (index + 0.5) * rowHeight, rows.length > 1 ? row.sizes : ''));
    return label + lines + marks.join('');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + axisHeight}" role="img" aria-labelledby="title desc">
<title id="title">Throughput as a multiple of each baseline</title>
<desc id="desc">${escapeXml(groups.flatMap(({ words, rows }) => rows.map((row) => describeRow(words, row))).join(' '))}</desc>
<style>${style}</style>
<text class="quiet" x="${edge}" y="16">dot: median · line: lowest to highest round · bar: target</text>
${ticks.map((value) => drawTick(value, bottom)).join('\n')}
${drawn.join('\n')}
</svg>
`;
}

function drawRow({ median, min, max, aim }: SpeedRow, y: number, sizes: string): string {
  const target = 'least' in aim ? aim.least : aim.most;
  const label = `${formatRatio(median)}×<tspan class="quiet"> ${escapeXml(sizes)}</tspan>`;
  // The label is right of the line, or left of it where the line ends near the edge.
  const [x, anchor] = xOf(max) > width - 70 ? [xOf(min) - 8, 'end'] : [xOf(max) + 8, 'start'];
  return (
    `<path class="range" stroke-width="2" d="M${xOf(min)} ${y}H${xOf(max)}"/><circle class="dot" cx="${xOf(median)}" cy="${y}" r="4"/>` +
    `<path class="aim" stroke-width="2" d="M${xOf(target)} ${y - 7}v14"/><text x="${x}" y="${y + 4}" text-anchor="${anchor}">${label}</text>`
  );
}

/** Not behind the text of a group. */
const drawLine = (value: number, y: number, height: number): string =>
  `<path class="${value === 1 ? 'one' : 'grid'}" d="M${xOf(value)} ${y}v${height}"/>`;

const drawTick = (value: number, bottom: number): string =>
  `<text class="quiet" x="${xOf(value)}" y="${bottom + 22}" text-anchor="${anchorOf(value)}">${value.toLocaleString('en')}×</text>`;

function anchorOf(value: number): string {
  if (value === lowest) return 'start';
  return value === highest ? 'end' : 'middle';
}

const describeRow = (words: string, { median, min, max, sizes }: SpeedRow): string =>
  `${words}, ${sizes}: ${formatRatio(median)} times (${min} to ${max}).`;

function xOf(ratio: number): number {
  const share = Math.log10(ratio / lowest) / Math.log10(highest / lowest);
  return Math.round(edge + share * (width - 2 * edge));
}

const formatRatio = (ratio: number): string => ratio.toLocaleString('en', { maximumSignificantDigits: 3 });
const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
