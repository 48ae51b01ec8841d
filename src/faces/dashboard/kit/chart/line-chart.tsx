import { useId, useState } from "react";
import { formatNumber, formatShort } from "../text/format-number.ts";
import type { ChartPoint, Series } from "./chart-data.ts";
import { scaleTop, ticksOf } from "./line-path.ts";
import { LinePlot } from "./line-plot.tsx";
import "./line-chart.css";

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
