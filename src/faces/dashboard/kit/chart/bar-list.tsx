import type { ReactNode } from "react";
import { Link } from "../../router.ts";
import { formatNumber } from "../text/format-number.ts";
import "./bar-list.css";

/** One bar, with what it stands for. */
export interface Bar {
  label: string;
  value: number;
  /** A path of the app. */
  to?: string;
  note?: ReactNode;
}

interface BarListProps {
  /** What the list compares: spoken. */
  label: string;
  items: readonly Bar[];
  format?: (value: number) => string;
}

/** A list of bars, each with its number in words as well. */
export function BarList({ label, items, format = formatNumber }: BarListProps) {
  const most = Math.max(...items.map(({ value }) => value), 0);
  return (
    <ol className="bar-list" aria-label={label}>
      {items.map((item) => (
        <li key={item.label + (item.to ?? "")} className="bar-item">
          <div
            className="bar-fill"
            style={{ width: `${most > 0 ? Math.max((item.value / most) * 100, 0.5) : 0}%` }}
          />
          <span className="bar-label">
            {item.to === undefined ? item.label : <Link to={item.to}>{item.label}</Link>}
            {item.note && <span className="bar-note">{item.note}</span>}
          </span>
          <span className="bar-value">{format(item.value)}</span>
        </li>
      ))}
    </ol>
  );
}
