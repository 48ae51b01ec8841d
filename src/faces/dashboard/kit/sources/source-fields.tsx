import type { ApiError } from "../../api-error.ts";
import { Button } from "../buttons/button.tsx";
import { Notice } from "../feedback/notice.tsx";
import { Field } from "../form/field.tsx";
import { Select } from "../form/select.tsx";
import { TextInput } from "../form/text-input.tsx";
import { SCHEDULES } from "../runs/run-words.ts";

/** What any source may be marked with. */
export interface Marks {
  version: string;
  language: string;
  /** With commas between them. */
  groups: string;
}
export const NO_MARKS: Marks = { version: "", language: "", groups: "" };

/** Version and language of a source, and whom it is for: most sites need none of them. */
export function MarksFields({ marks, onChange }: { marks: Marks; onChange: (marks: Marks) => void }) {
  return (
    <details className="more-fields">
      <summary>Version, language, groups</summary>
      <div className="field-pair">
        <Field label="Version" isOptional hint="If you keep docs of several versions, such as 2.x.">
          <TextInput
            value={marks.version}
            maxLength={100}
            onChange={(version) => onChange({ ...marks, version })}
          />
        </Field>
        <Field label="Language" isOptional hint="If you keep docs in several languages, such as en.">
          <TextInput
            value={marks.language}
            maxLength={100}
            onChange={(language) => onChange({ ...marks, language })}
          />
        </Field>
      </div>
      <GroupsField groups={marks.groups} onChange={(groups) => onChange({ ...marks, groups })} />
    </details>
  );
}

/** The groups that a source is for. */
export function GroupsField({ groups, onChange }: { groups: string; onChange: (groups: string) => void }) {
  return (
    <Field
      label="Only for these groups"
      isOptional
      hint="With commas between them, such as ops, admins. Without any, its pages are for everyone."
    >
      <TextInput value={groups} maxLength={1000} onChange={onChange} />
    </Field>
  );
}

/** The groups that were written with commas between them. */
export const groupsIn = (text: string) => [
  ...new Set(
    text
      .split(",")
      .map((group) => group.trim())
      .filter((group) => group !== ""),
  ),
];

/** The marks that were given. */
export const givenMarks = ({ version, language, groups }: Marks) => ({
  ...(groupsIn(groups).length === 0 ? {} : { groups: groupsIn(groups) }),
  ...(version.trim() === "" ? {} : { version: version.trim() }),
  ...(language.trim() === "" ? {} : { language: language.trim() }),
});

/** How often a source is read again. */
export function ScheduleField({
  everyMs,
  onChange,
}: {
  everyMs: number | null;
  onChange: (everyMs: number | null) => void;
}) {
  return (
    <Field label="Read it again" hint="Only what changed is read.">
      <Select
        value={String(everyMs)}
        options={SCHEDULES.map((each) => ({ value: String(each.everyMs), label: each.label }))}
        onChange={(value) => onChange(value === "null" ? null : Number(value))}
      />
    </Field>
  );
}

/** The end of a form: what went wrong, and the button that sends it. */
export function FormEnd({
  error,
  isBusy,
  label,
}: {
  error: ApiError | undefined;
  isBusy: boolean;
  label: string;
}) {
  return (
    <>
      {error && (
        <div role="alert">
          <Notice tone="bad">
            {error.message} {error.hint}
          </Notice>
        </div>
      )}
      <div>
        <Button type="submit" kind="primary" busy={isBusy}>
          {label}
        </Button>
      </div>
    </>
  );
}
