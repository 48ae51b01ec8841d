import { type FormEvent, useEffect, useState } from "react";
import { useApi } from "../../api.ts";
import { type ApiError, toApiError } from "../../api-error.ts";
import { Button } from "../../kit/buttons/button.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Failed } from "../../kit/feedback/failed.tsx";
import { Loading } from "../../kit/feedback/loading.tsx";
import { Field } from "../../kit/form/field.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { type Explanation, siteOperations } from "../../replies.ts";
import { navigate, pathTo, useRoute } from "../../router.ts";
import type { SiteView } from "../../site-view.ts";
import { ContentHeader } from "../content-header.tsx";
import { ExplanationView } from "./explanation-view.tsx";

/** Why something is found, or not: the search of an answer, step by step. What was asked is in the address. */
export function FindPage({ site }: { site: SiteView }) {
  const { query } = useRoute();
  const asked = {
    question: query.get("question") ?? "",
    path: query.get("path") ?? "",
    version: query.get("version") ?? "",
    language: query.get("language") ?? "",
  };
  const explained = useExplanation(site, asked);
  return (
    <div className="stack-wide">
      <ContentHeader site={site} view="find" />
      <FindForm
        asked={asked}
        isBusy={explained.state === "loading"}
        onAsk={(next) => {
          const to = pathTo(["dashboard", site.organizationName, site.domain, "content", "find"], {
            ...next,
          });
          // The same once more is asked once more: the docs may have changed.
          if (JSON.stringify(next) === JSON.stringify(asked)) explained.again();
          else navigate(to);
        }}
      />
      {explained.state === "none" && (
        <Empty
          icon="search"
          title="Type a question as a reader would"
          text="You see the words that were searched, the passages that came back with their relevance, and whether they were near enough to answer from. Name a page, and you see where it stands and why."
        />
      )}
      {explained.state === "loading" && <Loading shape="rows" label="Searching" />}
      {explained.state === "failed" && <Failed error={explained.error} retry={explained.again} />}
      {explained.state === "ready" && (
        <ExplanationView site={site} question={asked.question} explanation={explained.explanation} />
      )}
    </div>
  );
}

interface Asked {
  question: string;
  path: string;
  version: string;
  language: string;
}

interface FindFormProps {
  asked: Asked;
  isBusy: boolean;
  onAsk: (asked: Asked) => void;
}

function FindForm({ asked, isBusy, onAsk }: FindFormProps) {
  const [form, setForm] = useState(asked);
  const [known, setKnown] = useState(asked);
  // The browser's way back leads to what was asked before.
  if (JSON.stringify(known) !== JSON.stringify(asked)) {
    setKnown(asked);
    setForm(asked);
  }
  const [fault, setFault] = useState<string>();
  const set = (name: keyof Asked) => (value: string) => {
    setFault(undefined);
    setForm({ ...form, [name]: value });
  };
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (form.question.trim() === "") setFault("Type a question first.");
    else onAsk({ ...form, question: form.question.trim(), path: form.path.trim() });
  }
  return (
    <Card>
      <form className="stack" onSubmit={submit} noValidate>
        <div className="content-find">
          <Field label="Question" error={fault}>
            <TextInput
              value={form.question}
              maxLength={10_000}
              placeholder="How do I install it?"
              onChange={set("question")}
            />
          </Field>
          <Field label="Page that should be found" isOptional>
            <TextInput
              isMono
              value={form.path}
              placeholder="guide/install"
              spellCheck={false}
              onChange={set("path")}
            />
          </Field>
        </div>
        <NarrowingFields form={form} set={set} isOpen={asked.version !== "" || asked.language !== ""} />
        <div>
          <Button type="submit" kind="primary" icon="search" busy={isBusy}>
            Search
          </Button>
        </div>
      </form>
    </Card>
  );
}

interface NarrowingFieldsProps {
  form: Asked;
  set: (name: keyof Asked) => (value: string) => void;
  isOpen: boolean;
}

function NarrowingFields({ form, set, isOpen }: NarrowingFieldsProps) {
  return (
    <details className="more-fields" open={isOpen || undefined}>
      <summary>Version and language</summary>
      <div className="field-pair">
        <Field label="Version" isOptional>
          <TextInput value={form.version} maxLength={200} onChange={set("version")} />
        </Field>
        <Field label="Language" isOptional>
          <TextInput value={form.language} maxLength={200} onChange={set("language")} />
        </Field>
      </div>
    </details>
  );
}

type Explained = (
  | { state: "none" | "loading" }
  | { state: "ready"; explanation: Explanation }
  | { state: "failed"; error: ApiError }
) & { again(): void };

function useExplanation({ domain }: SiteView, asked: Asked): Explained {
  const api = useApi();
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<{ key: string; explanation?: Explanation; error?: ApiError }>();
  const { question, path, version, language } = asked;
  const key = JSON.stringify([domain, asked, attempt]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is all that is asked for, as one value.
  useEffect(() => {
    if (question === "") return;
    const controller = new AbortController();
    const filter = { ...(version === "" ? {} : { version }), ...(language === "" ? {} : { language }) };
    const body = { question, ...(path === "" ? {} : { path }), filter };
    api
      .post<Explanation>(`${siteOperations(domain)}/explain`, body, { signal: controller.signal })
      .then((explanation) => setResult({ key, explanation }))
      .catch((error) => {
        if (!controller.signal.aborted) setResult({ key, error: toApiError(error) });
      });
    return () => controller.abort();
  }, [key]);
  const again = () => setAttempt(attempt + 1);
  if (question === "") return { state: "none", again };
  if (result?.key !== key) return { state: "loading", again };
  if (result.explanation) return { state: "ready", explanation: result.explanation, again };
  return { state: "failed", error: result.error ?? toApiError(undefined), again };
}
