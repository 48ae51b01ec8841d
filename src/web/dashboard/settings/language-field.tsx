import { useState } from "react";
import { Field } from "../kit/form/field.tsx";
import { Select } from "../kit/form/select.tsx";
import { TextInput } from "../kit/form/text-input.tsx";

const KNOWN = [
  { value: "en", label: "English" },
  { value: "de", label: "Deutsch" },
  { value: "es", label: "Español" },
  { value: "fr", label: "Français" },
  { value: "ja", label: "日本語" },
  { value: "zh", label: "中文" },
  { value: "other", label: "Another one…" },
];

interface LanguageFieldProps {
  value: string;
  onChange: (language: string) => void;
  error: string | undefined;
}

/** The language of Docent's own sentences: one that it knows, or any tag, for sentences in the owner's words. */
export function LanguageField({ value, onChange, error }: LanguageFieldProps) {
  const isKnown = KNOWN.some((each) => each.value === value && value !== "other");
  const [isOther, setIsOther] = useState(!isKnown);
  const choose = (chosen: string) => {
    setIsOther(chosen === "other");
    if (chosen !== "other") onChange(chosen);
  };
  return (
    <>
      <Field
        label="Language of Docent's own sentences"
        hint="Such as “The documentation doesn't cover this.” Answers are in the language of the question."
        error={isOther ? undefined : error}
      >
        <Select value={isOther ? "other" : value} options={KNOWN} onChange={choose} />
      </Field>
      {isOther && (
        <Field
          label="Its tag"
          hint="As in de-AT or pt-BR. Docent speaks English where it does not know the language: put its sentences into your own words under Answers."
          error={error}
        >
          <TextInput value={value} onChange={onChange} maxLength={35} isMono />
        </Field>
      )}
    </>
  );
}
