import { useId } from "react";
import { Switch } from "../kit/form/switch.tsx";
import { Icon } from "../kit/icons/icon.tsx";

const STEP = 0.05;

interface MeasureFieldProps {
  label: string;
  hint: string;
  /** null: the server's. */
  value: number | null;
  ofServer: number | undefined;
  onChange: (value: number | null) => void;
  /** What each end means. */
  ends: readonly [low: string, high: string];
  error: string | undefined;
}

/** A measure of 0 to 1 that the server sets, until a site sets its own. */
export function MeasureField({ label, hint, value, ofServer, onChange, ends, error }: MeasureFieldProps) {
  const id = useId();
  const shown = value ?? ofServer ?? 0;
  return (
    <div className="measure">
      <Switch
        label={label}
        hint={`${hint}${ofServer === undefined ? "" : ` The server's is ${ofServer}.`}`}
        checked={value !== null}
        onChange={(isOwn) => onChange(isOwn ? shown : null)}
      />
      {value !== null && (
        <div>
          <div className="measure-range">
            <input
              type="range"
              id={id}
              aria-label={label}
              aria-describedby={`${id}-ends`}
              min={0}
              max={1}
              step={STEP}
              value={value}
              onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
            />
            <output htmlFor={id}>{value}</output>
          </div>
          <div className="measure-ends" id={`${id}-ends`}>
            <span>{ends[0]}</span>
            <span>{ends[1]}</span>
          </div>
        </div>
      )}
      {error && (
        <div className="field-error" role="alert">
          <Icon name="warning" size={15} />
          {error}
        </div>
      )}
    </div>
  );
}
