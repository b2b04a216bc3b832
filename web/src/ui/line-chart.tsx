import { language } from '../messages/messages.ts';
import { useShownColorScheme } from './color-scheme.ts';
import { useEffect, useRef } from 'react';
import UPlot, { type Options } from 'uplot';
import 'uplot/dist/uPlot.min.css';

const daySeconds = 86_400;
/** The axis steps in days, which the library turns into months and years. Charts have no step below a day. */
const daySteps = [1, 2, 3, 7, 10, 15, 30, 60, 90, 180, 365, 730].map((days) => days * daySeconds);
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
/** With more days than this a bar would be thinner than its gap, so a line is drawn. */
const barsMax = 120;
/** A chart lower than this draws its axis steps closer together. */
const lowHeight = 150;
const heightOfAxis = 26;
const widthOfAxis = 52;
const lineWidth = 1.5;

export type Plotted = {
  /** Days as seconds since 1970, without gaps. */
  readonly days: readonly number[];
  readonly values: readonly number[];
  /** The values of an earlier period, drawn as a dashed line; null where that is shorter. */
  readonly before?: ReadonlyArray<number | null> | undefined;
  readonly height: number;
  /** The axis label of a value. */
  readonly label: (value: number) => string;
};

export type LineChartProps = Plotted & {
  /** The day under the pointer. It must be the same function in every render. */
  readonly onPoint: (index: number | null) => void;
  /** Charts of one group move their pointers together. */
  readonly group: string;
};

/** One value by day. It is a canvas, so it is redrawn when the color scheme or the width changes. */
export function LineChart(props: LineChartProps) {
  return <Chart key={useShownColorScheme()} {...props} />;
}

function Chart({ days, values, before, height, label, onPoint, group }: LineChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const plotted = { days, values, before, height, label };
    const cursor: Options['cursor'] = { y: false, drag: { x: false, y: false }, sync: { key: group }, points: { size: 7 } };
    const hooks = { setCursor: [({ cursor: { idx } }: UPlot) => onPoint(idx ?? null)] };
    const plot = new UPlot({ ...optionsOf(plotted, element.clientWidth), cursor, hooks }, dataOf(plotted), element);
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [days, values, before, height, label, onPoint, group]);
  return <div ref={frame} style={{ height, overflow: 'hidden' }} />;
}

/**
 * Draws a chart for a picture, `width` wide at one pixel for each point. The library draws with the pixels of the display, so everything is
 * enlarged to reach `pixelRatio`.
 */
export async function drawLineChart(plotted: Plotted, width: number, pixelRatio: number): Promise<HTMLCanvasElement> {
  const options = optionsOf(plotted, width, pixelRatio / window.devicePixelRatio);
  const plot = await new Promise<UPlot>((resolve) => {
    const drawn = new UPlot({ ...options, cursor: { show: false }, hooks: { ready: [() => resolve(drawn)] } }, dataOf(plotted));
  });
  const { canvas } = plot.ctx;
  plot.destroy();
  return canvas;
}

const dataOf = ({ days, values, before }: Plotted): UPlot.AlignedData => [
  [...days],
  [...values],
  ...(before === undefined ? [] : [[...before]]),
];

function optionsOf({ days, before, height, label }: Plotted, width: number, scale = 1): Options {
  const color = colorsOf(document.documentElement);
  const axis = {
    stroke: color('--dimmed'),
    font: `${Math.round(12 * scale)}px ${getComputedStyle(document.body).fontFamily}`,
    gap: 5 * scale,
    grid: { stroke: color('--line'), width: scale },
  };
  const isBars = days.length <= barsMax;
  return {
    width: width * scale,
    height: height * scale,
    legend: { show: false },
    tzDate: utcDate,
    padding: [8 * scale, 2 * scale, 0, 0],
    scales: {
      x: { range: (_plot, least, most) => [least - daySeconds / 2, most + daySeconds / 2] },
      y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.08)] },
    },
    axes: [
      {
        ...axis,
        size: heightOfAxis * scale,
        incrs: daySteps,
        space: 70 * scale,
        ticks: { show: false },
        grid: { show: false },
        values: (...[, splits, , , step]) => splits.map((at) => dayLabel(at, step)),
      },
      {
        ...axis,
        size: widthOfAxis * scale,
        incrs: wholeSteps,
        space: (height < lowHeight ? 20 : 34) * scale,
        ticks: { show: false },
        values: (_plot, splits) => splits.map(label),
      },
    ],
    series: [
      {},
      {
        stroke: color('--accent-text'),
        fill: color(isBars ? '--accent-text' : '--accent-soft'),
        width: isBars ? 0 : lineWidth * scale,
        points: { show: false },
        paths: pathsOf(isBars, scale),
      },
      ...(before === undefined ? [] : [seriesBefore(color('--text'), scale)]),
    ],
  };
}

const seriesBefore = (stroke: string, scale: number): UPlot.Series => ({
  stroke,
  width: lineWidth * scale,
  dash: [4 * scale, 3 * scale],
  points: { show: false },
  paths: pathsOf(false, scale),
});

const colorsOf = (element: HTMLElement) => {
  const style = getComputedStyle(element);
  return (name: string): string => style.getPropertyValue(name).trim();
};

const utcDate = (seconds: number): Date => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC');

function pathsOf(isBars: boolean, scale: number): UPlot.Series.PathBuilder {
  const paths = isBars ? UPlot.paths.bars?.({ size: [0.66, 44 * scale], radius: 0.12 }) : UPlot.paths.linear?.();
  if (paths === undefined) throw new Error('the library draws bars and lines');
  return paths;
}

const inUtc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
const ofDay = inUtc({ day: 'numeric', month: 'short' });
const ofMonth = inUtc({ month: 'short', year: 'numeric' });
const monthSeconds = 30 * daySeconds;

const dayLabel = (at: number, step: number): string => (step < monthSeconds ? ofDay : ofMonth).format(new Date(at * 1_000));
