import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot, { type Options } from 'uplot';
import 'uplot/dist/uPlot.min.css';

const daySeconds = 86_400;
/** The steps of the axis, in the library's own months and years. Nothing here happens within a day. */
const daySteps = [1, 2, 3, 7, 10, 15, 30, 60, 90, 180, 365, 730].map((days) => days * daySeconds);
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
/** Beyond this a bar would be thinner than the gap beside it, and a line is drawn. */
const barsMax = 120;
/** A chart that is lower than this shows its steps closer together. */
const lowHeight = 150;
const heightOfAxis = 26;
const widthOfAxis = 52;

export type LineChartProps = {
  /** Days as seconds since 1970, without a gap. */
  readonly days: readonly number[];
  readonly values: readonly number[];
  readonly height: number;
  /** What the axis writes at a value. */
  readonly label: (value: number) => string;
  /** Which day the pointer is over. It must stay the same function from one drawing to the next. */
  readonly point: (place: number | null) => void;
  /** Charts of one group show the pointer together. */
  readonly group: string;
};

/** One figure by days. Drawn on a canvas, so that it is drawn anew when the colours change or the room for it does. */
export function LineChart(props: LineChartProps) {
  return <Drawn key={useComputedColorScheme()} {...props} />;
}

function Drawn({ days, values, height, label, point, group }: LineChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const options = optionsOf({ days, values, height, label, point, group }, element.clientWidth);
    const plot = new UPlot(options, [[...days], [...values]], element);
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [days, values, height, label, point, group]);
  return <div ref={frame} style={{ height, overflow: 'hidden' }} />;
}

function optionsOf({ days, height, label, point, group }: LineChartProps, width: number): Options {
  const colour = coloursOf(document.documentElement);
  const axis = {
    stroke: colour('--mantine-color-dimmed'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: colour('--line'), width: 1 },
  };
  const isBars = days.length <= barsMax;
  return {
    width,
    height,
    legend: { show: false },
    tzDate: utcDate,
    padding: [8, 2, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, sync: { key: group }, points: { size: 7 } },
    scales: {
      x: { range: (_plot, least, most) => [least - daySeconds / 2, most + daySeconds / 2] },
      y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.08)] },
    },
    axes: [
      {
        ...axis,
        size: heightOfAxis,
        incrs: daySteps,
        space: 70,
        ticks: { show: false },
        grid: { show: false },
        values: (...[, splits, , , step]) => splits.map((at) => dayLabel(at, step)),
      },
      {
        ...axis,
        size: widthOfAxis,
        incrs: wholeSteps,
        space: height < lowHeight ? 20 : 34,
        ticks: { show: false },
        values: (_plot, splits) => splits.map(label),
      },
    ],
    series: [
      {},
      {
        stroke: colour('--accent-text'),
        fill: colour(isBars ? '--accent-text' : '--accent-soft'),
        width: isBars ? 0 : 1.5,
        points: { show: false },
        paths: pathsOf(isBars),
      },
    ],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] },
  };
}

const coloursOf = (element: HTMLElement) => {
  const style = getComputedStyle(element);
  return (name: string): string => style.getPropertyValue(name).trim();
};

const utcDate = (seconds: number): Date => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC');

function pathsOf(isBars: boolean): UPlot.Series.PathBuilder {
  const paths = isBars ? UPlot.paths.bars?.({ size: [0.66, 44], radius: 0.12 }) : UPlot.paths.linear?.();
  if (paths === undefined) throw new Error('the library draws bars and lines');
  return paths;
}

const inUtc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const ofDay = inUtc({ day: 'numeric', month: 'short' });
const ofMonth = inUtc({ month: 'short', year: 'numeric' });
const monthSeconds = 30 * daySeconds;

const dayLabel = (at: number, step: number): string => (step < monthSeconds ? ofDay : ofMonth).format(new Date(at * 1_000));
