import { useId } from "react";
import "./progress.css";

interface ProgressProps {
  label: string;
  /** The share that is done, 0 to 1. Undefined: how much there is to do is not known. */
  value?: number | undefined;
  /** What is going on, in words. */
  text?: string;
}

/** How far something is. */
export function Progress({ label, value, text }: ProgressProps) {
  const id = useId();
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div className="progress">
      <div className="progress-text">
        <span id={id}>{label}</span>
        {/* It changes all the time: around it, only the label is spoken. */}
        <span className="progress-detail" aria-live="off">
          {text ?? (percent === undefined ? "" : `${percent}%`)}
        </span>
      </div>
      <div
        className="progress-track"
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
      >
        <div
          className={percent === undefined ? "progress-bar progress-bar-unknown" : "progress-bar"}
          style={percent === undefined ? undefined : { transform: `scaleX(${percent / 100})` }}
        />
      </div>
    </div>
  );
}
