import { useState } from "react";
import { useApi } from "../api.ts";
import { type ApiError, faultOf } from "../api-error.ts";
import { type EvaluationQuestion, siteAnalytics, type Turn } from "../replies.ts";
import { navigate } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { linesOf } from "../text.ts";
import { useSubmit } from "../use-submit.ts";
import { Failed } from "./feedback/failed.tsx";
import { Field } from "./form/field.tsx";
import { TextArea, TextInput } from "./form/text-input.tsx";
import { Dialog, FormActions } from "./overlay/dialog.tsx";
import { useToast } from "./overlay/toast.tsx";

interface EvaluationDialogProps {
  site: SiteView;
  turn: Turn;
  onClose: () => void;
}

const FOUND_SUGGESTED_MAX = 5;

/** Keeps a question to measure search with; what should be found for it can be put right first. */
export function EvaluationDialog({ site, turn, onClose }: EvaluationDialogProps) {
  const api = useApi();
  const toast = useToast();
  const draft = turn.drafts.evaluation;
  const [question, setQuestion] = useState(draft.question);
  const [expected, setExpected] = useState(draft.expected.join("\n"));
  const [subset, setSubset] = useState("");
  const { onSubmit, isBusy, error } = useSubmit(async () => {
    const body = { question, expected: linesOf(expected), ...(subset.trim() !== "" && { subset }) };
    const path = `${siteAnalytics(site.domain)}/conversations/${encodeURIComponent(turn.id)}/evaluation`;
    await api.post<EvaluationQuestion>(path, body);
    onClose();
    const list = sitePath(site, "conversations", "evaluation");
    toast("Kept for evaluation.", { action: { label: "Show the list", run: () => navigate(list) } });
  });
  const places = turn.passages.map(({ path, anchor }) => (anchor === "" ? path : `${path}#${anchor}`));
  const listed = linesOf(expected);
  const suggested = [...new Set(places)].filter((place) => !listed.includes(place));

  return (
    <Dialog title="Keep for evaluation" isOpen onClose={onClose}>
      <form className="form" onSubmit={onSubmit}>
        <p className="quiet">
          docent eval asks this question again and again, and says how often the right page is found.
        </p>
        <QuestionFields {...{ question, setQuestion, expected, setExpected, error }} />
        <Suggestions
          places={suggested.slice(0, FOUND_SUGGESTED_MAX)}
          onAdd={(place) => setExpected([...listed, place].join("\n"))}
        />
        <Field
          label="Kind of question"
          isOptional
          hint="Results are also told by kind, such as install or errors."
        >
          <TextInput value={subset} onChange={setSubset} maxLength={100} />
        </Field>
        {error && error.details.length === 0 && <Failed error={error} />}
        <FormActions onCancel={onClose} isBusy={isBusy}>
          Keep it
        </FormActions>
      </form>
    </Dialog>
  );
}

interface QuestionFieldsProps {
  question: string;
  setQuestion: (question: string) => void;
  /** The pages that should be found, one a line. */
  expected: string;
  setExpected: (expected: string) => void;
  error: ApiError | undefined;
}

function QuestionFields({ question, setQuestion, expected, setExpected, error }: QuestionFieldsProps) {
  return (
    <>
      <Field label="Question" error={faultOf(error, "question")}>
        <TextArea value={question} onChange={setQuestion} rows={2} maxLength={1000} required data-autofocus />
      </Field>
      <Field
        label="Pages that should be found"
        hint="One per line: a path, with #heading where a section is meant. Any of them is right."
        error={faultOf(error, "expected")}
      >
        <TextArea
          value={expected}
          onChange={setExpected}
          rows={3}
          isMono
          required
          spellCheck={false}
          placeholder="guide/install#linux"
        />
      </Field>
    </>
  );
}

/** Pages that were found for the question, and are not in the list. */
function Suggestions({ places, onAdd }: { places: string[]; onAdd: (place: string) => void }) {
  if (places.length === 0) return null;
  return (
    <div className="stack-tight">
      <span className="small quiet">Found for it as well:</span>
      <div className="row">
        {places.map((place) => (
          <button key={place} type="button" className="chip mono" onClick={() => onAdd(place)}>
            + {place}
          </button>
        ))}
      </div>
    </div>
  );
}
