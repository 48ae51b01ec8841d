import type { ReactNode } from "react";
import "./badge.css";

/** The meaning of a colour. Words beside it say the same. */
export type Tone = "good" | "warn" | "bad" | "quiet" | "accent";

/** A word about the state of something. */
export function Badge({ tone = "quiet", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
