import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../../kit/buttons/button.tsx";
import { classNames } from "../../kit/class-names.ts";
import { Field } from "../../kit/form/field.tsx";
import { type Option, Select } from "../../kit/form/select.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { CALLER_WORDS } from "../../outcome-words.ts";
import { type ListNarrowing, SHOWN, type ShownName, TEXT_CHARACTERS_MAX } from "./query.ts";

interface FiltersProps {
  narrowing: ListNarrowing;
  onChange: (narrowing: ListNarrowing) => void;
}

const SHOWN_NAMES = Object.entries(SHOWN).map(([name, { label }]) => ({ name: name as ShownName, label }));
const CALLERS: readonly Option[] = [
  { value: "", label: "Asked from anywhere" },
  ...Object.entries(CALLER_WORDS).map(([value, label]) => ({ value, label })),
];
const PERIODS: readonly Option[] = [
  { value: "", label: "Any time" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
];

/** The filters of the list. All of them are in the address, so that a view can be kept and sent. */
export function Filters({ narrowing, onChange }: FiltersProps) {
  return (
    <div className="stack">
      <fieldset className="chips">
        <legend className="visually-hidden">Show</legend>
        {SHOWN_NAMES.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            className={classNames("chip", narrowing.shown === name && "chip-chosen")}
            aria-pressed={narrowing.shown === name}
            onClick={() => onChange({ ...narrowing, shown: name })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <div className="conversation-filters">
        <TextSearch text={narrowing.text} onSearch={(text) => onChange({ ...narrowing, text })} />
        <Field label="When" isLabelHidden>
          <Select
            value={narrowing.days}
            options={PERIODS}
            onChange={(days) => onChange({ ...narrowing, days })}
          />
        </Field>
        <Field label="Asked from" isLabelHidden>
          <Select
            value={narrowing.caller}
            options={CALLERS}
            onChange={(caller) => onChange({ ...narrowing, caller })}
          />
        </Field>
      </div>
    </div>
  );
}

function TextSearch({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [written, setWritten] = useState(text);
  useEffect(() => setWritten(text), [text]);
  const search = (event: FormEvent) => {
    event.preventDefault();
    onSearch(written.trim());
  };
  return (
    <search>
      <form className="conversation-search" onSubmit={search}>
        <Field label="Words in the question or the answer" isLabelHidden>
          <TextInput
            type="search"
            value={written}
            onChange={(next) => {
              setWritten(next);
              // The cross in the field empties it.
              if (next === "" && text !== "") onSearch("");
            }}
            placeholder="Search"
            maxLength={TEXT_CHARACTERS_MAX}
          />
        </Field>
        <Button type="submit" icon="search">
          Search
        </Button>
      </form>
    </search>
  );
}
