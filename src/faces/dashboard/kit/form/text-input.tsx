import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from "react";
import { classNames } from "../class-names.ts";
import { useField } from "./field.tsx";

export interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange"> {
  value: string;
  onChange: (value: string) => void;
  /** For what is read letter by letter: addresses, keys. */
  isMono?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** A line of text. Inside a `Field` it is tied to its label. */
export function TextInput({ onChange, isMono = false, className, ...rest }: TextInputProps) {
  return (
    <input
      type="text"
      {...useField()}
      {...rest}
      className={classNames("control", isMono && "control-mono", className)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "value" | "onChange"> {
  value: string;
  onChange: (value: string) => void;
  isMono?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
}

/** Lines of text. */
export function TextArea({ onChange, isMono = false, className, rows = 4, ...rest }: TextAreaProps) {
  return (
    <textarea
      {...useField()}
      {...rest}
      rows={rows}
      className={classNames("control", isMono && "control-mono", className)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
