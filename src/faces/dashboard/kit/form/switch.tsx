import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import "./choice.css";

interface SwitchProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "checked" | "onChange"> {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Something that is on or off. */
export function Switch({ label, hint, checked, onChange, ...rest }: SwitchProps) {
  const hintId = useId();
  return (
    <label className="choice">
      <input
        {...rest}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        className="choice-switch"
        aria-describedby={hint ? hintId : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className="choice-text">
        <span>{label}</span>
        {hint && (
          <span className="choice-hint" id={hintId}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
