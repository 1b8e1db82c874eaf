import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { classNames } from '../design/class-names.ts';

/** A colour by what it means. */
type ChartTone = 'accent' | 'busy' | 'bad';

/** What the bars tell. Each series after the first is a part of the one before it, and is drawn over it. */
export interface ChartSeries {
  label: string;
  tone: ChartTone;
  values: readonly number[];
  /** What is told of each bar, where a number is not all there is to say. */
  texts?: readonly string[];
}

interface BarChartProps {
  /** What the picture shows, for who cannot see it. The numbers themselves belong into a table beside it. */
  label: string;
  /** One name per bar, as short as fits under it. */
  names: readonly string[];
  series: readonly ChartSeries[];
  format: (value: number) => string;
  /** What is counted comes in wholes, so there is nothing to mark between them. */
  isWhole?: boolean;
}

const HEIGHT = 200;
const SWATCHES: Record<ChartTone, string> = { accent: 'bg-accent', busy: 'bg-busy', bad: 'bg-bad' };

/** Bars beside each other, as wide as there is room, with the numbers of the one the pointer is on. */
export function BarChart({ label, names, series, format, isWhole = false }: BarChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();

  useEffect(() => {
    const at = box.current;
    if (at === null) return;
    const plot = new uPlot(
      optionsOf({ names, series, format, isWhole, setPointed, width: at.clientWidth }),
      dataOf(series),
      at,
    );
    const sizes = new ResizeObserver(() => plot.setSize({ width: at.clientWidth, height: HEIGHT }));
    sizes.observe(at);
    const themes = new MutationObserver(() => plot.redraw());
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
      plot.destroy();
    };
  }, [names, series, format, isWhole]);

  return (
    <figure>
      <figcaption className="flex min-h-5 flex-wrap items-center gap-x-4 text-xs text-soft">
        {pointed !== undefined && <span className="font-medium text-ink">{names[pointed]}</span>}
        {series.map((one) => (
          <span key={one.label} className="flex items-center gap-1.5">
            <span aria-hidden className={classNames('size-2.5 rounded-sm', SWATCHES[one.tone])} />
            {one.label}
            {pointed !== undefined && (
              <span className="font-medium text-ink tabular-nums">
                {one.texts?.[pointed] ?? format(one.values[pointed] ?? 0)}
              </span>
            )}
          </span>
        ))}
      </figcaption>
      <div ref={box} role="img" aria-label={label} className="mt-2 w-full overflow-hidden" style={{ height: HEIGHT }} />
    </figure>
  );
}

function dataOf(series: readonly ChartSeries[]): uPlot.AlignedData {
  const places = (series[0]?.values ?? []).map((_, index) => index);
  return [places, ...series.map(({ values }) => [...values])];
}

interface PlotParts extends Omit<BarChartProps, 'label'> {
  width: number;
  setPointed: (index: number | undefined) => void;
}

function optionsOf({ names, series, format, isWhole, setPointed, width }: PlotParts): uPlot.Options {
  const font = `11px ${getComputedStyle(document.documentElement).fontFamily}`;
  const last = Math.max(0, names.length - 1);
  const quiet = { stroke: () => colour('line'), width: 1 };
  return {
    width,
    height: HEIGHT,
    padding: [8, 22, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: () => [-0.6, last + 0.6] },
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.05 : 1] },
    },
    axes: [
      {
        stroke: () => colour('faint'),
        font,
        grid: { show: false },
        ticks: { show: false },
        size: 24,
        splits: (plot) => everyFew(names.length, Math.max(1, Math.floor(plot.width / 64))),
        values: (_plot, splits) => splits.map((place) => names[place] ?? ''),
      },
      {
        stroke: () => colour('faint'),
        font,
        grid: quiet,
        ticks: { show: false },
        size: 56,
        space: 36,
        ...(isWhole && { incrs: WHOLE_STEPS }),
        values: (_plot, splits) => splits.map((value) => format(value)),
      },
    ],
    series: [
      {},
      ...series.map(({ label, tone }) => ({
        label,
        fill: () => colour(tone),
        stroke: () => colour(tone),
        width: 0,
        paths: uPlot.paths.bars!({ size: [0.72, 42], radius: 0.12 }),
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [(plot) => setPointed(plot.cursor.idx ?? undefined)] },
  };
}

/** 1, 2, 5, 10 … far beyond anything that is counted here. */
const WHOLE_STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** Places of names, so far apart that at most that many stand side by side; the last one always has its name. */
function everyFew(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  const places: number[] = [];
  for (let place = count - 1; place >= 0; place -= step) places.unshift(place);
  return places;
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
}
