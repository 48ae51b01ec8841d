import "./line-chart.css";
import { type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import type { Tone } from "../text/badge.tsx";
import { formatNumber, formatShort } from "../text/format-number.ts";
import { areaPath, linePath, scaleTop, ticksOf } from "./line-path.ts";

/** A line: which of a point's values it follows. */
export interface Series {
  name: string;
  label: string;
  tone: Tone;
}

/** What is known of one moment. A value that is null is a gap in its line. */
export interface ChartPoint {
  /** The moment, in words: `3 Nov`. */
  label: string;
  values: Readonly<Record<string, number | null>>;
}

interface LineChartProps {
  /** What the chart shows: spoken, and the caption of its table. */
  label: string;
  series: readonly Series[];
  points: readonly ChartPoint[];
  format?: (value: number) => string;
  /** The highest value of the scale; made of the values where it is not given. */
  top?: number;
}

/** How values went over time. Hover or the arrow keys tell of a moment; screen readers get a table. */
export function LineChart({ label, series, points, format = formatNumber, top }: LineChartProps) {
  const [at, setAt] = useState<number>();
  const id = useId();
  const values = points.flatMap((point) => series.map(({ name }) => point.values[name] ?? 0));
  const highest = top ?? scaleTop(Math.max(...values, 0));
  const shown = at === undefined ? undefined : points[at];
  return (
    <figure className="line-chart" aria-labelledby={id}>
      <figcaption className="visually-hidden" id={id}>
        {label}
      </figcaption>
      <Legend series={series} point={shown} format={format} />
      <div className="line-chart-frame">
        <div className="line-chart-scale" aria-hidden="true">
          {ticksOf(highest).map((tick) => (
            <span key={tick} style={{ bottom: `${(tick / highest) * 100}%` }}>
              {format === formatNumber ? formatShort(tick) : format(tick)}
            </span>
          ))}
        </div>
        <LinePlot label={label} series={series} points={points} top={highest} at={at} setAt={setAt} />
      </div>
      <Ends points={points} />
      <span className="visually-hidden" role="status">
        {shown && `${shown.label}: ${series.map((each) => said(each, shown, format)).join(", ")}`}
      </span>
      <ChartTable label={label} series={series} points={points} format={format} />
    </figure>
  );
}

const said = ({ name, label }: Series, { values }: ChartPoint, format: (value: number) => string) =>
  `${label} ${values[name] == null ? "none" : format(values[name])}`;

interface LegendProps {
  series: readonly Series[];
  point: ChartPoint | undefined;
  format: (value: number) => string;
}

/** What the lines are; while a moment is looked at, with its values. */
function Legend({ series, point, format }: LegendProps) {
  return (
    <div className="line-chart-legend" aria-hidden="true">
      {series.map(({ name, label, tone }) => {
        const value = point?.values[name];
        return (
          <span key={name} className={`line-chart-${tone}`}>
            <i className="line-chart-dot" />
            {label}
            {value != null && <b>{format(value)}</b>}
          </span>
        );
      })}
      <span className="line-chart-moment">{point?.label}</span>
    </div>
  );
}

function Ends({ points }: { points: readonly ChartPoint[] }) {
  return (
    <div className="line-chart-ends" aria-hidden="true">
      <span>{points[0]?.label}</span>
      {points.length > 4 && <span>{points[Math.floor((points.length - 1) / 2)]?.label}</span>}
      {points.length > 1 && <span>{points.at(-1)?.label}</span>}
    </div>
  );
}

interface ChartTableProps {
  label: string;
  series: readonly Series[];
  points: readonly ChartPoint[];
  format: (value: number) => string;
}

/** What a chart shows, for who does not see it. */
export function ChartTable({ label, series, points, format }: ChartTableProps) {
  return (
    <table className="visually-hidden">
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          {series.map((each) => (
            <th key={each.name} scope="col">
              {each.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.label}>
            <th scope="row">{point.label}</th>
            {series.map(({ name }) => {
              const value = point.values[name];
              return <td key={name}>{value == null ? "none" : format(value)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface LinePlotProps {
  label: string;
  series: readonly Series[];
  points: readonly ChartPoint[];
  top: number;
  /** The point that is looked at. */
  at: number | undefined;
  setAt: (at: number | undefined) => void;
}

const WIDTH = 640;
const HEIGHT = 180;

/** The lines of a chart. The pointer and the arrow keys choose the point that is looked at. */
function LinePlot({ label, series, points, top, at, setAt }: LinePlotProps) {
  const last = points.length - 1;
  const move = (index: number) => setAt(Math.min(Math.max(index, 0), last));
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    move(Math.round(((clientX - left) / Math.max(width, 1)) * last));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    move(event.key === "ArrowRight" ? (at ?? -1) + 1 : (at ?? last + 1) - 1);
  };
  return (
    <div
      className="line-chart-plot"
      role="img"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys tell of each moment.
      tabIndex={0}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setAt(undefined)}
      onBlur={() => setAt(undefined)}
      onKeyDown={onKeyDown}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <Grid top={top} />
        {series.map((each, index) => (
          <Line key={each.name} series={each} points={points} top={top} hasArea={index === 0} />
        ))}
      </svg>
      {at !== undefined && last > 0 && (
        <span className="line-chart-cursor" style={{ left: `${(at / last) * 100}%` }} />
      )}
    </div>
  );
}

function Grid({ top }: { top: number }) {
  return ticksOf(top).map((tick) => {
    const y = HEIGHT - (tick / top) * HEIGHT;
    return <line key={tick} className="line-chart-grid" x1="0" x2={WIDTH} y1={y} y2={y} />;
  });
}

interface LineProps {
  series: Series;
  points: readonly ChartPoint[];
  top: number;
  hasArea: boolean;
}

function Line({ series: { name, tone }, points, top, hasArea }: LineProps) {
  const values = points.map((point) => point.values[name] ?? null);
  const plot = { width: WIDTH, height: HEIGHT, top };
  return (
    <g className={`line-chart-${tone}`}>
      {hasArea && <path className="line-chart-area" d={areaPath(values, plot)} />}
      <path className="line-chart-line" d={linePath(values, plot)} />
    </g>
  );
}
