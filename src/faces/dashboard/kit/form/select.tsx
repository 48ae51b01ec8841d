import type { SelectHTMLAttributes } from "react";
import { classNames } from "../class-names.ts";
import { Icon } from "../icons/icon.tsx";
import { useField } from "./field.tsx";
import "./select.css";

/** A choice of a select. */
export interface Option<Value extends string = string> {
  value: Value;
  label: string;
}

interface SelectProps<Value extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "value" | "onChange"> {
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
}

/** One of a few, chosen from the system's own list. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, options, onChange, className, ...rest } = props;
  const choose = (text: string) => {
    const chosen = options.find((option) => option.value === text);
    if (chosen) onChange(chosen.value);
  };
  return (
    <span className={classNames("select", className)}>
      <select
        {...useField()}
        {...rest}
        value={value}
        className="control"
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" size={16} />
    </span>
  );
}
