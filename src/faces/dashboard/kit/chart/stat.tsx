import type { ReactNode } from "react";
import { Loading } from "../feedback/loading.tsx";
import "./stat.css";

interface StatProps {
  label: string;
  /** Undefined: it is being read. */
  value: ReactNode;
  /** How it compares with the time before: `{text: "+12%", tone: "good"}`. */
  change?: { text: string; tone: "good" | "bad" | "quiet" } | undefined;
  note?: ReactNode;
}

/** A number with its name, and how it compares with the period before. */
export function Stat({ label, value, change, note }: StatProps) {
  return (
    <div className="stat">
      <div className="stat-label">{label}</div>
      <div className="stat-value">{value === undefined ? <Loading lines={1} label={label} /> : value}</div>
      {(change || note) && (
        <div className="stat-note">
          {change && <span className={`stat-change stat-change-${change.tone}`}>{change.text}</span>}
          {note}
        </div>
      )}
    </div>
  );
}
