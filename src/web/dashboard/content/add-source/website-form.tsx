import { type FormEvent, useState } from "react";
import { Field } from "../../kit/form/field.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import type { SourceFormProps } from "./add-source.tsx";
import { FormEnd, givenMarks, MarksFields, NO_MARKS, ScheduleField } from "./source-fields.tsx";

const DAY_MS = 86_400_000;

/** Docs that are on the web: a site with or without a sitemap, an llms.txt, an OpenAPI file. */
export function WebsiteForm({ add, isBusy, error }: SourceFormProps) {
  const [address, setAddress] = useState("");
  const [everyMs, setEveryMs] = useState<number | null>(DAY_MS);
  const [marks, setMarks] = useState(NO_MARKS);
  const [fault, setFault] = useState<string>();

  function submit(event: FormEvent): void {
    event.preventDefault();
    const place = withScheme(address.trim());
    if (!URL.canParse(place)) setFault("Give the whole address, such as https://docs.example.com/.");
    else add({ place, everyMs, ...givenMarks(marks) });
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <Field
        label="Address"
        hint="Docent reads the pages in its sitemap, or follows its links. An llms.txt or an OpenAPI file works as well."
        error={fault}
      >
        <TextInput
          type="url"
          inputMode="url"
          isMono
          value={address}
          placeholder="https://docs.example.com/"
          autoComplete="url"
          onChange={(value) => {
            setFault(undefined);
            setAddress(value);
          }}
        />
      </Field>
      <ScheduleField everyMs={everyMs} onChange={setEveryMs} />
      <MarksFields marks={marks} onChange={setMarks} />
      <FormEnd error={error} isBusy={isBusy} label="Read the website" />
    </form>
  );
}

/** Adds https:// where people write docs.example.com. */
const withScheme = (address: string) =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(address) || address === "" ? address : `https://${address}`;
