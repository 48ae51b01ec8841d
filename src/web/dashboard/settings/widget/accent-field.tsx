import { Field } from "../../kit/form/field.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { isColor } from "./widget-look.ts";

interface AccentFieldProps {
  value: string;
  onChange: (color: string) => void;
  error: string | undefined;
}

/** The colour of buttons and links: picked, or written. */
export function AccentField({ value, onChange, error }: AccentFieldProps) {
  return (
    <Field
      label="Accent"
      hint="Of buttons and links. The widget takes a lighter or a darker shade of it where that is needed to be read."
      error={error}
    >
      <span className="accent">
        <input
          type="color"
          className="accent-swatch"
          aria-label="Pick the accent"
          value={isColor(value) ? value : "#000000"}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <TextInput
          value={value}
          onChange={(text) => onChange(text.trim())}
          className="control-narrow"
          maxLength={7}
          spellCheck={false}
          isMono
        />
      </span>
    </Field>
  );
}
