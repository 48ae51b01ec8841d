import { useState } from "react";
import { useApi } from "../../api.ts";
import { faultOf } from "../../api-error.ts";
import { Button } from "../../kit/buttons/button.tsx";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Field } from "../../kit/form/field.tsx";
import { TextArea, TextInput } from "../../kit/form/text-input.tsx";
import { Dialog, FormActions } from "../../kit/overlay/dialog.tsx";
import { Menu } from "../../kit/overlay/menu.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import { type GoldenImport, type GoldenQuestion, siteOperations } from "../../replies.ts";
import type { SiteView } from "../../site-view.ts";
import { linesOf } from "../../text.ts";
import { useAttempt } from "../../use-attempt.ts";
import { useSubmit } from "../../use-submit.ts";

interface AddProps {
  site: SiteView;
  onAdded: () => void;
}

/** The ways to add golden questions: one by hand, or from what the site keeps. */
export function AddQuestions({ site, onAdded }: AddProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <span className="row">
      <ImportMenu site={site} onAdded={onAdded} />
      <Button kind="primary" icon="add" onClick={() => setIsOpen(true)}>
        Add a question
      </Button>
      {isOpen && <AddDialog site={site} onAdded={onAdded} onClose={() => setIsOpen(false)} />}
    </span>
  );
}

const SOURCES = [
  { from: "evaluation", label: "From the evaluation set" },
  { from: "liked", label: "From answers that readers liked" },
  { from: "curated", label: "From curated answers" },
] as const;

function ImportMenu({ site, onAdded }: AddProps) {
  const api = useApi();
  const toast = useToast();
  const attempt = useAttempt();
  const take = (from: (typeof SOURCES)[number]["from"]) =>
    attempt(async () => {
      const taken = await api.post<GoldenImport>(`${siteOperations(site.domain)}/golden/import`, { from });
      toast(importedWords(taken));
      onAdded();
    });
  return (
    <Menu
      label="Import questions"
      items={SOURCES.map(({ from, label }) => ({ label, onSelect: () => void take(from) }))}
    >
      Import
    </Menu>
  );
}

/** What came of taking questions over. */
function importedWords({ added, known, unusable, left }: GoldenImport): string {
  const parts = [
    `${added} added`,
    ...(known > 0 ? [`${known} kept already`] : []),
    ...(unusable > 0 ? [`${unusable} name no page of the site`] : []),
    ...(left > 0 ? [`${left} have no room`] : []),
  ];
  return `${parts.join(", ")}.`;
}

function AddDialog({ site, onAdded, onClose }: AddProps & { onClose: () => void }) {
  const api = useApi();
  const toast = useToast();
  const [question, setQuestion] = useState("");
  const [expected, setExpected] = useState("");
  const [groups, setGroups] = useState("");
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    const named = groups
      .split(",")
      .map((group) => group.trim())
      .filter((group) => group !== "");
    const body = { question, expected: linesOf(expected), ...(named.length > 0 && { groups: named }) };
    await api.post<GoldenQuestion>(`${siteOperations(site.domain)}/golden/questions`, body);
    onClose();
    onAdded();
    toast("The question was added.");
  });
  return (
    <Dialog title="Add a golden question" isOpen onClose={onClose}>
      <form className="form" onSubmit={onSubmit}>
        <Field label="Question" error={faultOf(error, "question")}>
          <TextArea
            value={question}
            onChange={setQuestion}
            rows={2}
            maxLength={1000}
            required
            data-autofocus
          />
        </Field>
        <Field
          label="Pages that answer it"
          hint="One per line: a path or an address of the site. Any of them is right."
          error={faultOf(error, "expected")}
        >
          <TextArea value={expected} onChange={setExpected} rows={2} isMono required spellCheck={false} />
        </Field>
        <Field
          label="Groups of whoever asks"
          isOptional
          hint="Separated by commas. Without them, it is asked as an owner, who sees every page."
          error={faultOf(error, "groups")}
        >
          <TextInput value={groups} onChange={setGroups} />
        </Field>
        {error && error.details.length === 0 && <Failed error={error} />}
        <FormActions onCancel={onClose} isBusy={isBusy}>
          Add it
        </FormActions>
      </form>
    </Dialog>
  );
}
