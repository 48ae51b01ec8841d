import { createContext, type ReactNode, useContext, useId } from "react";
import { Icon } from "../icons/icon.tsx";
import "./field.css";

/** What a control takes from the field around it. */
export interface FieldLinks {
  id?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
}

const FieldContext = createContext<FieldLinks>({});

/** What ties a control to its field's label, hint and error. Nothing outside of a field. */
export const useField = () => useContext(FieldContext);

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Said behind the label. */
  isOptional?: boolean;
  /** The label is spoken, not shown. */
  isLabelHidden?: boolean;
  children: ReactNode;
}

/** A control with its label, a hint and what is wrong with it. */
export function Field({ label, hint, error, isOptional, isLabelHidden, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const links: FieldLinks = {
    id,
    "aria-describedby": describedBy || undefined,
    "aria-invalid": error ? true : undefined,
  };
  return (
    <div className="field">
      <label className={isLabelHidden ? "visually-hidden" : "field-label"} htmlFor={id}>
        {label}
        {isOptional && <span className="field-optional">optional</span>}
      </label>
      <FieldContext value={links}>{children}</FieldContext>
      {hint && (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error && (
        <div className="field-error" id={`${id}-error`} role="alert">
          <Icon name="warning" size={15} />
          {error}
        </div>
      )}
    </div>
  );
}
