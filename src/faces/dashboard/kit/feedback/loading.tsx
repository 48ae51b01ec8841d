import "./loading.css";

export interface LoadingProps {
  /** What is being read: spoken. */
  label?: string;
  /** How many lines of the shape are shown. */
  lines?: number;
  /** What will stand here: lines of text, rows of a table, or cards side by side. */
  shape?: "text" | "rows" | "cards";
}

/** The outline of what comes, so that nothing jumps when it is there. It shows after a moment: what is quick never flickers. */
export function Loading({ label = "Loading", lines = 4, shape = "text" }: LoadingProps) {
  return (
    <div className={`loading loading-${shape}`} role="status">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike, and none moves.
        <span key={index} className="loading-line" />
      ))}
    </div>
  );
}
