import { type InputHTMLAttributes, useState } from "react";
import { classNames } from "../class-names.ts";
import { useField } from "./field.tsx";
import "./number-input.css";

interface NumberInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange"> {
  /** Undefined: the field is empty, or holds no number yet. */
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  /** Said behind the number: `days`, `seconds`. */
  unit?: string;
}

/** A number with its unit. What is typed stays as it was typed while it means the same number. */
export function NumberInput({ value, onChange, unit, className, ...rest }: NumberInputProps) {
  const [typed, setTyped] = useState("");
  const shown = numberOf(typed) === value ? typed : String(value ?? "");
  return (
    <span className="number-input">
      <input
        type="number"
        inputMode="decimal"
        {...useField()}
        {...rest}
        value={shown}
        className={classNames("control control-narrow", className)}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange(numberOf(currentTarget.value));
        }}
      />
      {unit && <span className="number-input-unit">{unit}</span>}
    </span>
  );
}

function numberOf(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === "" || !Number.isFinite(number) ? undefined : number;
}
