import { saveBlob } from './export-buttons.tsx';
import { drawLineChart, type Plotted } from './line-chart.tsx';

/** A chart as the page shows it: one value by day, or a bar for each name. */
type Headed = { readonly title: string; readonly value: string };
type PicturedBars = Headed & { readonly bars: readonly PicturedBar[] };
export type PicturedChart = PicturedBars | (Headed & { readonly plotted: Plotted });
type DrawnChart = PicturedBars | (Headed & { readonly canvas: HTMLCanvasElement });
export type PicturedBar = { readonly name: string; readonly value: string; /** From 0 to 1. */ readonly share: number };

type ChartPicture = {
  readonly title: string;
  /** The period and what it is compared with, one line each. */
  readonly lines: readonly string[];
  readonly charts: readonly PicturedChart[];
};

/** Two pixels for each point, so that the picture is sharp in a document. */
const scale = 2;
const width = 960;
const padding = 28;
const titleHeight = 30;
const lineHeight = 20;
const chartHeadHeight = 30;
const chartGap = 16;
const barHeight = 30;
const nameWidth = 220;
const valueWidth = 130;

/** Draws a title, the period, and the charts, and downloads them as a PNG. */
export async function downloadChartPicture(picture: ChartPicture, name: string): Promise<void> {
  const font = getComputedStyle(document.body).fontFamily;
  // A canvas does not wait for a font. One that cannot be loaded is replaced, as on the page.
  await Promise.allSettled(['400', '600'].map((weight) => document.fonts.load(`${weight} 13px ${font}`)));
  const charts = await Promise.all(picture.charts.map(drawn));
  const blob = await new Promise<Blob | null>((resolve) => drawPicture(picture, charts, font).toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('the browser could not create the picture');
  saveBlob(blob, name);
}

async function drawn(chart: PicturedChart): Promise<DrawnChart> {
  return 'bars' in chart ? chart : { ...chart, canvas: await drawLineChart(chart.plotted, innerWidth, scale) };
}

function drawPicture({ title, lines }: ChartPicture, charts: readonly DrawnChart[], font: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const head = padding + titleHeight + lines.length * lineHeight;
  const height = charts.reduce((sum, chart) => sum + chartGap + chartHeadHeight + heightOf(chart), head) + padding;
  [canvas.width, canvas.height] = [width * scale, height * scale];
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser has no canvas');
  context.scale(scale, scale);
  const pen = penOf(context, font);
  pen.fill('--surface', 0, 0, width, height);
  pen.write(title, { x: padding, y: padding + 18, weight: 600, size: 20 });
  lines.forEach((line, index) => pen.write(line, { x: padding, y: padding + titleHeight + index * lineHeight + 14, color: 'dimmed' }));
  charts.reduce((y, chart) => drawChart(pen, chart, y + chartGap), head);
  return canvas;
}

const innerWidth = width - 2 * padding;
const heightOf = (chart: DrawnChart): number =>
  'bars' in chart ? chart.bars.length * barHeight : (chart.canvas.height * innerWidth) / chart.canvas.width;

/** Returns where the next chart begins. */
function drawChart(pen: Pen, chart: DrawnChart, y: number): number {
  pen.write(chart.title, { x: padding, y: y + 16, weight: 600 });
  pen.write(chart.value, { x: width - padding, y: y + 16, weight: 600, align: 'right' });
  const top = y + chartHeadHeight;
  if ('canvas' in chart) pen.context.drawImage(chart.canvas, padding, top, innerWidth, heightOf(chart));
  else chart.bars.forEach((bar, index) => drawBar(pen, bar, top + index * barHeight));
  return top + heightOf(chart);
}

function drawBar(pen: Pen, { name, value, share }: PicturedBar, y: number): void {
  const most = innerWidth - nameWidth - valueWidth;
  pen.write(name, { x: padding, y: y + 18, most: nameWidth - 12 });
  pen.fill('--paper', padding + nameWidth, y + 7, most, 14);
  pen.fill('--accent-text', padding + nameWidth, y + 7, Math.max(0, share) * most, 14);
  pen.write(value, { x: width - padding, y: y + 18, align: 'right' });
}

type Writing = {
  readonly x: number;
  readonly y: number;
  readonly weight?: number;
  readonly size?: number;
  readonly color?: 'text' | 'dimmed';
  readonly align?: CanvasTextAlign;
  readonly most?: number;
};
type Pen = ReturnType<typeof penOf>;

/** Draws with the colors of the page. */
function penOf(context: CanvasRenderingContext2D, font: string) {
  const style = getComputedStyle(document.documentElement);
  const colorOf = (name: string) => style.getPropertyValue(name).trim();
  return {
    context,
    fill: (color: string, ...area: readonly [number, number, number, number]) => {
      context.fillStyle = colorOf(color);
      context.fillRect(...area);
    },
    write: (text: string, { x, y, weight = 400, size = 13, color = 'text', align = 'left', most = innerWidth }: Writing) => {
      context.font = `${weight} ${size}px ${font}`;
      context.textAlign = align;
      context.fillStyle = colorOf(`--${color}`);
      context.fillText(text, x, y, most);
    },
  };
}
