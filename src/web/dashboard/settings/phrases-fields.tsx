import { Field } from "../kit/form/field.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import type { SiteView } from "../site-view.ts";

type Phrases = SiteView["settings"]["phrases"];
type PhraseName = keyof Phrases;

/** When each of them is said. */
const LABELS: Record<PhraseName, string> = {
  notCovered: "The docs do not cover a question",
  nearest: "Before the pages that come nearest",
  contact: "Before your contact",
  quoting: "Before passages that are quoted word for word",
  touching: "Before pages that only touch on a question",
  sources: "Before links to what an answer rests on",
  failed: "An answer broke off",
  cutOff: "After an answer that became too long",
  pageNotFound: "A page of the reader site is not there",
};
const NAMES = Object.keys(LABELS) as PhraseName[];

interface PhrasesFieldsProps {
  phrases: Phrases;
  defaults: Readonly<Record<PhraseName, string>> | undefined;
  onChange: (phrases: Phrases) => void;
  fault: (path: string) => string | undefined;
}

/** One field for each of Docent's own sentences. */
export function PhrasesFields({ phrases, defaults, onChange, fault }: PhrasesFieldsProps) {
  const changed = (name: PhraseName, text: string): Phrases => {
    const { [name]: _, ...others } = phrases;
    return text === "" ? others : { ...others, [name]: text };
  };
  return (
    <div className="form">
      {NAMES.map((name) => (
        <Field key={name} label={LABELS[name]} error={fault(`settings.phrases.${name}`)}>
          <TextInput
            value={phrases[name] ?? ""}
            onChange={(text) => onChange(changed(name, text))}
            placeholder={defaults?.[name]}
            maxLength={2000}
          />
        </Field>
      ))}
    </div>
  );
}
