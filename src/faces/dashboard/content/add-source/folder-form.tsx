import { type FormEvent, useState } from "react";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loading } from "../../kit/feedback/loading.tsx";
import { Notice } from "../../kit/feedback/notice.tsx";
import { Field } from "../../kit/form/field.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import {
  FormEnd,
  givenMarks,
  MarksFields,
  NO_MARKS,
  ScheduleField,
} from "../../kit/sources/source-fields.tsx";
import type { SourceRules } from "../../replies.ts";
import type { Resource } from "../../use-resource.ts";
import type { SourceFormProps } from "./add-source.tsx";

interface FolderFormProps extends SourceFormProps {
  rules: Resource<SourceRules>;
}

/** A folder or an archive that is on the server already, where its operator allows that. */
export function FolderForm({ add, isBusy, error, rules }: FolderFormProps) {
  const [path, setPath] = useState("");
  const [everyMs, setEveryMs] = useState<number | null>(null);
  const [marks, setMarks] = useState(NO_MARKS);
  const [fault, setFault] = useState<string>();
  if (rules.state === "loading") return <Loading lines={3} />;
  if (rules.state === "failed") return <Failed error={rules.error} retry={() => void rules.reload()} />;
  const { folders } = rules.data;
  if (folders.length === 0) return <NoFolders />;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (path.trim() === "") setFault("Give the folder's path on the server.");
    else add({ place: path.trim(), everyMs, ...givenMarks(marks) });
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <Field
        label="Folder or archive"
        error={fault}
        hint={
          <>
            Somewhere below{" "}
            {folders.map((each, index) => (
              <span key={each}>
                {index > 0 && " or "}
                <code>{each}</code>
              </span>
            ))}
            .
          </>
        }
      >
        <TextInput
          isMono
          value={path}
          placeholder={`${folders[0] ?? ""}/docs`}
          spellCheck={false}
          onChange={(value) => {
            setFault(undefined);
            setPath(value);
          }}
        />
      </Field>
      <ScheduleField everyMs={everyMs} onChange={setEveryMs} />
      <MarksFields marks={marks} onChange={setMarks} />
      <FormEnd error={error} isBusy={isBusy} label="Read the folder" />
    </form>
  );
}

function NoFolders() {
  return (
    <Notice tone="quiet">
      Nothing on the server may be named as a source yet: whoever can write here could otherwise read its
      files. The person who runs the server can name the folders that hold docs, with the setting{" "}
      <code>source_roots</code>, such as <code>DOCENT_SOURCE_ROOTS=acme=/srv/acme</code>, where{" "}
      <code>acme</code> is this organization. Until then, upload them from here.
    </Notice>
  );
}
