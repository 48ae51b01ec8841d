import type { Ref, TextareaHTMLAttributes } from "react";
import { classNames } from "../class-names.ts";
import { useField } from "./field.tsx";

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
