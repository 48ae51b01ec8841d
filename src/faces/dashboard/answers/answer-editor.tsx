import { useState } from "react";
import { useApi } from "../api.ts";
import { MarkdownText } from "../kit/answer/markdown-text.tsx";
import { Button, ButtonLink } from "../kit/buttons/button.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Field } from "../kit/form/field.tsx";
import { TextArea, TextInput } from "../kit/form/text-input.tsx";
import { useUnsaved } from "../kit/form/use-unsaved.ts";
import { Card } from "../kit/layout/card.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import type { Answer } from "../replies.ts";
import { navigate } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { linesOf } from "../text.ts";
import { useSubmit } from "../use-submit.ts";
import { type AnswerDraft, answerFile, answerPath, nameFault, nameOfQuestion } from "./answer-file.ts";

interface AnswerEditorProps {
  site: SiteView;
  /** The fields as they are at first. */
  draft: AnswerDraft;
  /** The answer that is changed; undefined where one is added. */
  edited?: Answer | undefined;
  /** The answers there are: one of the same name, version and language would be replaced. */
  taken: readonly Pick<Answer, "name" | "version" | "language">[];
}

const QUESTIONS_MAX = 50;
const QUESTION_CHARACTERS_MAX = 300;

/** Writes an answer: the ways in which it is asked, and its words with what readers will see beside them. */
export function AnswerEditor({ site, draft, edited, taken }: AnswerEditorProps) {
  const api = useApi();
  const toast = useToast();
  const [given, setGiven] = useState(draft);
  const [isTried, setIsTried] = useState(false);
  const change = (part: Partial<AnswerDraft>) => setGiven((before) => ({ ...before, ...part }));
  const questions = linesOf(given.questions);
  const name = given.name.trim() === "" ? nameOfQuestion(questions[0] ?? "") : given.name.trim();
  const faults = faultsOf({ ...given, name }, questions, edited === undefined ? taken : []);
  const unsaved = useUnsaved(JSON.stringify(given) !== JSON.stringify(draft));

  const { onSubmit, isBusy, error } = useSubmit(async () => {
    setIsTried(true);
    if (Object.keys(faults).length > 0) return;
    const markdown = answerFile(questions, given.markdown, edited?.frontMatter);
    const { version, language } = given;
    await api.put<Answer[]>(answerPath(site.domain, name), {
      markdown,
      version: version.trim(),
      language: language.trim(),
    });
    unsaved.saved();
    toast("Saved. It is given from the next question on.");
    navigate(sitePath(site, "answers"));
  });
  const shown = isTried ? faults : {};

  return (
    <form onSubmit={onSubmit} className="stack">
      <div className="answer-editor">
        <Card title="The answer">
          <div className="form">
            <AnswerFields
              given={given}
              change={change}
              name={name}
              isFixed={edited !== undefined}
              faults={shown}
            />
            <Labels given={given} change={change} isFixed={edited !== undefined} />
            {error && <Failed error={error} />}
          </div>
        </Card>
        <Card title="What readers see">
          <Preview site={site} question={questions[0]} markdown={given.markdown} />
        </Card>
      </div>
      <div className="row">
        <Button type="submit" kind="primary" busy={isBusy}>
          Save the answer
        </Button>
        <ButtonLink kind="quiet" to={sitePath(site, "answers")}>
          Cancel
        </ButtonLink>
      </div>
    </form>
  );
}

interface AnswerFieldsProps extends LabelsProps {
  /** The name that the answer gets where none is given. */
  name: string;
  faults: Faults;
}

function AnswerFields({ given, change, name, isFixed, faults }: AnswerFieldsProps) {
  return (
    <>
      <Field
        label="Questions"
        hint="One per line, in the words of your readers: two to five ways of asking."
        error={faults.questions}
      >
        <TextArea
          value={given.questions}
          onChange={(text) => change({ questions: text })}
          rows={4}
          placeholder={"How do I reset my password?\nI forgot my password"}
        />
      </Field>
      <Field
        label="Answer"
        hint="Markdown. Link to pages from the site's root, such as /guide/sign-in#reset: those links are its citations."
        error={faults.markdown}
      >
        <TextArea
          value={given.markdown}
          onChange={(text) => change({ markdown: text })}
          rows={14}
          isMono
          spellCheck
        />
      </Field>
      <Field
        label="Name"
        hint={
          isFixed
            ? "The name of an answer stays."
            : "What it is called in lists. Made of the first question if you leave it out."
        }
        error={faults.name}
        isOptional={!isFixed}
      >
        <TextInput
          value={given.name}
          onChange={(text) => change({ name: text })}
          placeholder={name}
          isMono
          readOnly={isFixed}
          maxLength={100}
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
    </>
  );
}

interface LabelsProps {
  given: AnswerDraft;
  change: (part: Partial<AnswerDraft>) => void;
  isFixed: boolean;
}

function Labels({ given, change, isFixed }: LabelsProps) {
  const isNarrowed = given.version !== "" || given.language !== "";
  return (
    <details className="more-fields" open={isNarrowed}>
      <summary>Only for a version or a language</summary>
      <div className="field-pair">
        <Field label="Version" isOptional>
          <TextInput
            value={given.version}
            onChange={(text) => change({ version: text })}
            maxLength={100}
            readOnly={isFixed}
          />
        </Field>
        <Field label="Language" isOptional>
          <TextInput
            value={given.language}
            onChange={(text) => change({ language: text })}
            maxLength={100}
            readOnly={isFixed}
          />
        </Field>
      </div>
    </details>
  );
}

interface PreviewProps {
  site: SiteView;
  question: string | undefined;
  markdown: string;
}

/** The question and its answer, as in the chat. */
export function Preview({ site, question, markdown }: PreviewProps) {
  return (
    <div className="transcript">
      {question !== undefined && <p className="transcript-question">{question}</p>}
      {markdown.trim() === "" ? (
        <p className="quiet">Your answer appears here as you write.</p>
      ) : (
        <MarkdownText site={site} text={markdown} />
      )}
    </div>
  );
}

type Faults = Partial<Record<"questions" | "markdown" | "name", string>>;

function faultsOf(
  { name, markdown, version, language }: AnswerDraft,
  questions: string[],
  taken: AnswerEditorProps["taken"],
): Faults {
  const tooLong = questions.find((question) => question.length > QUESTION_CHARACTERS_MAX);
  const faults: Faults = {};
  if (questions.length === 0) faults.questions = "Write at least one way in which it is asked.";
  else if (questions.length > QUESTIONS_MAX) faults.questions = `At most ${QUESTIONS_MAX} questions count.`;
  else if (tooLong !== undefined)
    faults.questions = `A question has at most ${QUESTION_CHARACTERS_MAX} characters.`;
  if (markdown.trim() === "") faults.markdown = "Write what readers should get.";
  const wrongName = questions.length === 0 && name === "" ? undefined : nameFault(name);
  if (wrongName !== undefined) faults.name = wrongName;
  else if (
    taken.some(
      (each) => each.name === name && each.version === version.trim() && each.language === language.trim(),
    )
  )
    faults.name = `There is an answer called ${name} already: open that one, or take another name.`;
  return faults;
}
