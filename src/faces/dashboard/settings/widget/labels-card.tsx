import { useState } from "react";
import { LABELS, type LabelName } from "../../../widget/labels.ts";
import { Field } from "../../kit/form/field.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { Card } from "../../kit/layout/card.tsx";
import type { WidgetLook } from "./widget-look.ts";

/** Labels that a reader sees before anything else. */
const FIRST = {
  open: "On the button",
  title: "Heading of the panel",
  greeting: "Greeting",
  introduction: "Below the greeting",
  placeholder: "In the field for questions",
  disclaimer: "Below that field",
} as const satisfies Partial<Record<LabelName, string>>;
const FIRST_NAMES = Object.keys(FIRST) as (keyof typeof FIRST)[];
const OTHER_NAMES = (Object.keys(LABELS) as LabelName[]).filter((name) => !(name in FIRST));
const LABEL_CHARACTERS_MAX = 200;

interface LabelsCardProps {
  labels: WidgetLook["labels"];
  onChange: (labels: WidgetLook["labels"]) => void;
  fault: (path: string) => string | undefined;
}

/** The widget's words, for another language or another voice. */
export function LabelsCard({ labels, onChange, fault }: LabelsCardProps) {
  const [query, setQuery] = useState("");
  const set = (name: LabelName, text: string) => {
    const { [name]: _, ...others } = labels;
    onChange(text === "" ? others : { ...others, [name]: text });
  };
  const field = (name: LabelName, label = wordsOf(name)) => (
    <Field key={name} label={label} error={fault(`settings.widget.labels.${name}`)}>
      <TextInput
        value={labels[name] ?? ""}
        onChange={(text) => set(name, text)}
        placeholder={LABELS[name]}
        maxLength={LABEL_CHARACTERS_MAX}
      />
    </Field>
  );
  const others = OTHER_NAMES.filter((name) => isAbout(name, query));
  const count = OTHER_NAMES.filter((name) => labels[name] !== undefined).length;
  return (
    <Card
      title="Words"
      description="Leave a field empty for the word that stands in it. What stands in braces, such as {name}, is filled in."
    >
      <div className="form">{FIRST_NAMES.map((name) => field(name, FIRST[name]))}</div>
      <details className="more labels-more">
        <summary>
          {OTHER_NAMES.length} more words{count > 0 && `, ${count} of them your own`}
        </summary>
        <div className="form">
          <Field label="Find a word" isLabelHidden>
            <TextInput value={query} onChange={setQuery} type="search" placeholder="Find a word" />
          </Field>
          {others.map((name) => field(name))}
          {others.length === 0 && <p className="quiet">No word has that in it.</p>}
        </div>
      </details>
    </Card>
  );
}

function isAbout(name: LabelName, query: string): boolean {
  const asked = query.trim().toLowerCase();
  return `${wordsOf(name)} ${LABELS[name]}`.toLowerCase().includes(asked);
}

/** `askAboutCode` is told as "Ask about code". */
const wordsOf = (name: string) =>
  name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
