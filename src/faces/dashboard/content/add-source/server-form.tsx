import { type FormEvent, useState } from "react";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loading } from "../../kit/feedback/loading.tsx";
import { Field } from "../../kit/form/field.tsx";
import { Select } from "../../kit/form/select.tsx";
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

const HOUR_MS = 3_600_000;
const NO_VARIABLE = "";

interface ServerFormProps extends SourceFormProps {
  rules: Resource<SourceRules>;
}

/** A wiki or a tracker that the server reads through its API. */
export function ServerForm({ add, isBusy, error, rules }: ServerFormProps) {
  const [kind, setKind] = useState<string>();
  const [place, setPlace] = useState("");
  const [variable, setVariable] = useState(NO_VARIABLE);
  const [everyMs, setEveryMs] = useState<number | null>(HOUR_MS);
  const [marks, setMarks] = useState(NO_MARKS);
  const [fault, setFault] = useState<string>();
  if (rules.state === "loading") return <Loading lines={3} />;
  if (rules.state === "failed") return <Failed error={rules.error} retry={() => void rules.reload()} />;
  const { servers, variables } = rules.data;
  const chosen = kind ?? servers[0]?.kind ?? "";

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!/^https?:\/\//i.test(place.trim())) setFault("Give the address as your browser shows it.");
    else
      add({
        place: place.trim(),
        kind: chosen,
        everyMs,
        ...givenMarks(marks),
        ...(variable === NO_VARIABLE ? {} : { authorization: variable }),
      });
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <Field label="What it is">
        <Select
          value={chosen}
          options={servers.map((server) => ({ value: server.kind, label: server.name }))}
          onChange={setKind}
        />
      </Field>
      <Field
        label="Address"
        hint="As your browser shows it: of the server, or of a space, a project or a page in it."
        error={fault}
      >
        <TextInput
          isMono
          value={place}
          placeholder="https://wiki.example.com/"
          spellCheck={false}
          onChange={(value) => {
            setFault(undefined);
            setPlace(value);
          }}
        />
      </Field>
      <VariableField {...{ place, variable, variables }} onChange={setVariable} />
      <ScheduleField everyMs={everyMs} onChange={setEveryMs} />
      <MarksFields marks={marks} onChange={setMarks} />
      <FormEnd error={error} isBusy={isBusy} label="Read the server" />
    </form>
  );
}

interface VariableFieldProps {
  place: string;
  variable: string;
  /** `VARIABLE@host`. */
  variables: readonly string[];
  onChange: (variable: string) => void;
}

/** What the source signs in with, of what may be sent to that host. Who may name none sees no field. */
function VariableField({ place, variable, variables, onChange }: VariableFieldProps) {
  const host = URL.parse(place.trim())?.host ?? "";
  const names = variables.flatMap((each) =>
    each.endsWith(`@${host}`) ? [each.slice(0, -host.length - 1)] : [],
  );
  if (variables.length === 0) return null;
  return (
    <Field
      label="Sign in with"
      hint="Variables that the setting source_variables allows to be sent to this host."
    >
      <Select
        value={names.includes(variable) ? variable : NO_VARIABLE}
        options={[
          { value: NO_VARIABLE, label: "Nothing" },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
        onChange={onChange}
      />
    </Field>
  );
}
