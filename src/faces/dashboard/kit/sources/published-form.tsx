import { type FormEvent, useState } from "react";
import type { Source } from "../../replies.ts";
import { Button } from "../buttons/button.tsx";
import { Field } from "../form/field.tsx";
import { TextInput } from "../form/text-input.tsx";

interface PublishedFormProps {
  source: Source;
  /** What is proposed while none is named: the site's URL. */
  siteUrl: string | null;
  isBusy: boolean;
  /** What the button says. */
  label: string;
  /** The address; null: the source tells the addresses itself. */
  onSave: (published: string | null) => void;
}

/** Asks at which address a source's pages are published. Nothing is asked there before it is saved. */
export function PublishedForm({ source, siteUrl, isBusy, label, onSave }: PublishedFormProps) {
  const [address, setAddress] = useState(source.published ?? siteUrl ?? "");
  const given = address.trim() === "" ? null : address.trim();

  function submit(event: FormEvent): void {
    event.preventDefault();
    onSave(given);
  }

  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field
        label="Published at"
        isOptional
        hint={
          source.published === null
            ? "Each run then looks there for the addresses of pages and the ids of their headings. Nothing is asked until you save it."
            : "Each run looks there for the addresses of pages and the ids of their headings. Without an address, the source tells them."
        }
      >
        <TextInput
          type="url"
          inputMode="url"
          isMono
          value={address}
          maxLength={1000}
          placeholder="https://docs.example.com/"
          spellCheck={false}
          onChange={setAddress}
        />
      </Field>
      <div>
        <Button type="submit" busy={isBusy} disabled={given === source.published}>
          {label}
        </Button>
      </div>
    </form>
  );
}
