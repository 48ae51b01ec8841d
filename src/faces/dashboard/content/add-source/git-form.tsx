import { type FormEvent, useState } from "react";
import { Field } from "../../kit/form/field.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import {
  FormEnd,
  givenMarks,
  MarksFields,
  NO_MARKS,
  ScheduleField,
} from "../../kit/sources/source-fields.tsx";
import type { SourceFormProps } from "./add-source.tsx";

const HOUR_MS = 3_600_000;

/** Docs in a git repository that the server can fetch. */
export function GitForm({ add, isBusy, error }: SourceFormProps) {
  const [repository, setRepository] = useState("");
  const [branch, setBranch] = useState("");
  const [subfolder, setSubfolder] = useState("");
  const [everyMs, setEveryMs] = useState<number | null>(HOUR_MS);
  const [marks, setMarks] = useState(NO_MARKS);
  const [fault, setFault] = useState<string>();

  function submit(event: FormEvent): void {
    event.preventDefault();
    const place = repository.trim();
    if (place === "") setFault("Give the repository's address, as git clone takes it.");
    else
      add({
        place,
        kind: "git",
        everyMs,
        ...givenMarks(marks),
        ...(branch.trim() === "" ? {} : { branch: branch.trim() }),
        ...(subfolder.trim() === "" ? {} : { subfolder: subfolder.trim() }),
      });
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <Field label="Repository" hint="Over https, as git clone takes it." error={fault}>
        <TextInput
          isMono
          value={repository}
          placeholder="https://git.example.com/acme/docs.git"
          spellCheck={false}
          onChange={(value) => {
            setFault(undefined);
            setRepository(value);
          }}
        />
      </Field>
      <div className="field-pair">
        <Field label="Branch or tag" isOptional hint="Without one, the repository's own choice.">
          <TextInput isMono value={branch} placeholder="main" spellCheck={false} onChange={setBranch} />
        </Field>
        <Field label="Folder in it" isOptional hint="Where the docs are.">
          <TextInput isMono value={subfolder} placeholder="docs" spellCheck={false} onChange={setSubfolder} />
        </Field>
      </div>
      <ScheduleField everyMs={everyMs} onChange={setEveryMs} />
      <MarksFields marks={marks} onChange={setMarks} />
      <FormEnd error={error} isBusy={isBusy} label="Fetch the repository" />
    </form>
  );
}
