import { haveOtherIds } from "@docent/kernel/text/lost-links/missing-anchors";
import { addressBelow } from "@docent/kernel/text/site-url";
import { type FormEvent, useState } from "react";
import { useApi } from "../../api.ts";
import { type RunJob, type Source, type SourceRun, siteOperations } from "../../replies.ts";
import type { SiteView } from "../../site-view.ts";
import { useAttempt } from "../../use-attempt.ts";
import { Button } from "../buttons/button.tsx";
import { Notice } from "../feedback/notice.tsx";
import { Field } from "../form/field.tsx";
import { TextInput } from "../form/text-input.tsx";
import { PublishedForm } from "../sources/published-form.tsx";
import { counted } from "../text/format-number.ts";
import { addressesWords, recognizedWords } from "./run-words.ts";
import "./recognized.css";

type Docs = NonNullable<SourceRun["docs"]>;

interface RecognizedProps {
  site: SiteView;
  source: Source | undefined;
  /** A run was asked for from here. */
  onRun: (run: RunJob) => void;
}

/** What a source was recognized as. After a preview it stands open, and the docs are read from here. */
export function Recognized({ site, source, onRun }: RecognizedProps) {
  const run = source?.lastRun;
  if (!source || !run?.generator) return null;
  const { docs, generator } = run;
  const isPreview = run.outcome === "previewed";
  if (docs === null) return <p>{recognizedWords(run)}</p>;
  const parts = <Parts {...{ site, source, docs, isPreview, onRun }} run={run} />;
  if (isPreview)
    return (
      <div className="stack">
        <Notice>
          This looks like <strong>{generator}</strong>: {counted(docs.pages, "page")} get the addresses,
          anchors and menu that it gives them. Nothing is published yet.
        </Notice>
        {parts}
      </div>
    );
  return (
    <div className="stack">
      <p>{recognizedWords(run)}</p>
      <details className="more-fields">
        <summary>Its menu, some of its addresses, and what is open</summary>
        <div className="stack">{parts}</div>
      </details>
    </div>
  );
}

interface PartsProps {
  site: SiteView;
  source: Source;
  run: SourceRun;
  docs: Docs;
  isPreview: boolean;
  onRun: (run: RunJob) => void;
}

interface SourceChange {
  answers?: Readonly<Record<string, string>>;
  published?: string | null;
}

function Parts({ site, source, run, docs, isPreview, onRun }: PartsProps) {
  const api = useApi();
  const attempt = useAttempt();
  const [isSending, setIsSending] = useState(false);
  const path = `${siteOperations(site.domain)}/sources/${source.number}`;
  /** Asks for a run; what was answered counts in it. */
  async function ask(how: Readonly<Record<string, boolean>>, change?: SourceChange) {
    setIsSending(true);
    const job = await attempt(async () => {
      if (change) await api.patch<Source>(path, change);
      return api.post<RunJob>(`${path}/runs`, how);
    });
    setIsSending(false);
    if (job) onRun(job);
  }
  return (
    <>
      <div className="recognized-lists">
        <MenuOf docs={docs} />
        <AddressesOf docs={docs} siteUrl={site.url} />
      </div>
      {run.addresses && <AddressesChecked addresses={run.addresses} />}
      <Questions
        key={run.startedAt}
        {...{ docs, isSending }}
        answers={source.answers}
        onAnswered={site.mayChange ? (answers) => void ask({ preview: true }, { answers }) : undefined}
      />
      {isPreview && site.mayChange && (
        <section className="stack">
          <h3 className="recognized-title">Are these not the addresses of your site?</h3>
          <PublishedForm
            {...{ source }}
            siteUrl={site.url}
            isBusy={isSending}
            label="Look there"
            onSave={(published) => void ask({ preview: true }, { published })}
          />
        </section>
      )}
      {isPreview && site.mayChange && (
        <div className="row">
          <Button kind="primary" busy={isSending} onClick={() => void ask({})}>
            Read these docs
          </Button>
          {site.url !== null && (
            <Button disabled={isSending} onClick={() => void ask({ preview: true, checkAddresses: true })}>
              Check these addresses
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function MenuOf({ docs: { menu, menuMore } }: { docs: Docs }) {
  return (
    <section>
      <h3 className="recognized-title">Menu</h3>
      {menu.length === 0 && (
        <p className="quiet">It makes no menu: pages stand in the order of their files.</p>
      )}
      <ul className="recognized-list">
        {menu.map(({ label, below, more }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a menu may have one label twice, and never changes here.
          <li key={index}>
            <span>{label}</span>
            {below.length > 0 && (
              <span className="quiet small">
                {below.join(" · ")}
                {more > 0 && ` · ${more} more`}
              </span>
            )}
          </li>
        ))}
        {menuMore > 0 && <li className="quiet">{menuMore} more</li>}
      </ul>
    </section>
  );
}

function AddressesOf({ docs: { samples }, siteUrl }: { docs: Docs; siteUrl: string | null }) {
  return (
    <section>
      <h3 className="recognized-title">Addresses</h3>
      <ul className="recognized-list">
        {samples.map(({ location, href }) => (
          <li key={location}>
            {siteUrl === null ? (
              <span className="mono">{href}</span>
            ) : (
              <a className="mono" href={addressBelow(siteUrl, href)} target="_blank" rel="noreferrer">
                {href}
              </a>
            )}
            <span className="quiet small">{location}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether pages answer at their published addresses, and which do not. */
function AddressesChecked({ addresses }: { addresses: NonNullable<SourceRun["addresses"]> }) {
  const { asked, answering, missing, anchors } = addresses;
  const isGood = asked > 0 && answering === asked && !(anchors !== null && haveOtherIds(anchors));
  return (
    <Notice tone={isGood ? "good" : "warn"}>
      {addressesWords(addresses)}
      {missing.length > 0 && (
        <ul className="recognized-list">
          {missing.map(({ address, why }) => (
            <li key={address} className="small">
              {address}: {why}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

interface QuestionsProps {
  docs: Docs;
  /** What was answered before. */
  answers: Readonly<Record<string, string>>;
  isSending: boolean;
  onAnswered: ((answers: Record<string, string>) => void) | undefined;
}

/** What the configuration leaves open: a field for what an answer changes, a line for the rest. */
function Questions({ docs: { unknowns }, answers, isSending, onAnswered }: QuestionsProps) {
  const open = unknowns.flatMap(({ name, question, guess }) =>
    name === null ? [] : [{ name, question, text: guess }],
  );
  const before = Object.entries(answers).map(([name, text]) => ({
    name,
    question: `Your answer: ${name}`,
    text,
  }));
  const fields = [...before, ...open.filter(({ name }) => !Object.hasOwn(answers, name))];
  const [given, setGiven] = useState(() => Object.fromEntries(fields.map(({ name, text }) => [name, text])));
  const noted = unknowns.filter(({ name }) => name === null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    onAnswered?.(given);
  }

  if (fields.length === 0 && noted.length === 0) return null;
  return (
    <section className="stack">
      <h3 className="recognized-title">What its configuration leaves open</h3>
      {fields.length > 0 && (
        <form className="form" onSubmit={submit} noValidate>
          {fields.map(({ name, question }) => (
            <Field key={name} label={question}>
              <TextInput
                isMono
                value={given[name] ?? ""}
                maxLength={500}
                spellCheck={false}
                disabled={onAnswered === undefined}
                onChange={(text) => setGiven({ ...given, [name]: text })}
              />
            </Field>
          ))}
          {onAnswered && (
            <div>
              <Button type="submit" busy={isSending}>
                Look again with these answers
              </Button>
            </div>
          )}
        </form>
      )}
      {noted.map(({ question, guess }) => (
        <p key={question} className="quiet small">
          {question} Assumed: {guess}.
        </p>
      ))}
    </section>
  );
}
