import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import "./choice.css";

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "checked" | "onChange"> {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A choice that is sent with its form. */
export function Checkbox({ label, hint, onChange, ...rest }: CheckboxProps) {
  const hintId = useId();
  return (
    <label className="choice">
      <input
        {...rest}
        type="checkbox"
        className="choice-box"
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
