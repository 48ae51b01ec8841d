import type { KeyboardEvent, PointerEvent } from "react";
import type { ChartPoint, Series } from "./chart-data.ts";
import { areaPath, linePath, ticksOf } from "./line-path.ts";

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
export function LinePlot({ label, series, points, top, at, setAt }: LinePlotProps) {
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
