import type { ChartPoint, Series } from "./chart-data.ts";

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
