import type { ReactNode } from "react";
import { Icon } from "../kit/icons/icon.tsx";

interface StepProps {
  number: number;
  title: string;
  state: "done" | "current" | "ahead";
  /** What was chosen, once it is. */
  note?: string | undefined;
  children?: ReactNode;
}

/** One of the steps of the first run: what is done shows what came of it, what is ahead only its name. */
export function Step({ number, title, state, note, children }: StepProps) {
  return (
    <li className={`step step-${state}`} aria-current={state === "current" ? "step" : undefined}>
      <span className="step-mark" aria-hidden="true">
        {state === "done" ? <Icon name="check" size={16} /> : number}
      </span>
      <div className="step-body">
        <h2 className="step-title" tabIndex={-1}>
          {title}
          {state === "done" && <span className="visually-hidden"> (done)</span>}
          {note && <span className="step-note">{note}</span>}
        </h2>
        {state !== "ahead" && children && <div className="step-content">{children}</div>}
      </div>
    </li>
  );
}
