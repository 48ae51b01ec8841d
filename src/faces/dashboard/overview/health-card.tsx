import type { modelsShape } from "@docent/doors/admin/shapes";
import type { ReactNode } from "react";
import type { z } from "zod";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Card } from "../kit/layout/card.tsx";
import { countsLine, notReadWords, outcomeOf } from "../kit/runs/run-words.ts";
import { Badge, type Tone } from "../kit/text/badge.tsx";
import { counted } from "../kit/text/format-number.ts";
import { Time } from "../kit/text/time.tsx";
import { type Source, siteOperations } from "../replies.ts";
import { Link } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { sentence } from "../text.ts";
import { type Resource, useResource } from "../use-resource.ts";

type Models = z.output<typeof modelsShape>;

const LOOK_MS = 30_000;
const SOURCES_SHOWN = 5;

/** Whether a model answers, and whether the docs are read as they should be. */
export function HealthCard({ site }: { site: SiteView }) {
  const models = useResource<Models>("/v1/admin/ollama", { everyMs: LOOK_MS });
  const sources = useResource<Source[]>(`${siteOperations(site.domain)}/sources`, { everyMs: LOOK_MS });
  return (
    <Card title="Health">
      <ul className="health-list">
        <ModelHealth models={models} />
        <SourcesHealth site={site} sources={sources} />
      </ul>
    </Card>
  );
}

function ModelHealth({ models }: { models: Resource<Models> }) {
  if (models.state === "loading") return <HealthLoading label="Asking Ollama" />;
  if (models.state === "failed")
    return (
      <li>
        <Failed error={models.error} retry={() => void models.reload()} />
      </li>
    );
  const health = modelHealth(models.data.model, models.data.servers ?? []);
  return <Health name="Ollama" {...health} />;
}

function SourcesHealth({ site, sources }: { site: SiteView; sources: Resource<Source[]> }) {
  if (sources.state === "loading") return <HealthLoading label="Reading the sources" />;
  if (sources.state === "failed")
    return (
      <li>
        <Failed error={sources.error} retry={() => void sources.reload()} />
      </li>
    );
  if (sources.data.length === 0)
    return (
      <Health
        {...{ name: "Docs", tone: "warn", state: "None", text: "There are no docs to answer from yet." }}
        to={sitePath(site, "content")}
      />
    );
  const all = worstFirst(sources.data);
  const others = all.length - SOURCES_SHOWN;
  return (
    <>
      {all.slice(0, SOURCES_SHOWN).map(({ source, health }) => (
        <Health
          key={source.number}
          name={source.place}
          {...health}
          to={sitePath(site, "content", "sources", source.number)}
        >
          {source.lastRun !== null && (
            <span className="quiet small">
              read <Time at={source.lastRun.startedAt} />
            </span>
          )}
        </Health>
      ))}
      {others > 0 && (
        <li>
          <Link to={sitePath(site, "content")}>{counted(others, "more source")}</Link>
        </li>
      )}
    </>
  );
}

interface HealthProps {
  name: string;
  state: string;
  tone: Tone;
  text: string;
  to?: string;
  children?: ReactNode;
}

function Health({ name, state, tone, text, to, children }: HealthProps) {
  return (
    <li className="health">
      <span className="health-name">
        {to === undefined ? name : <Link to={to}>{name}</Link>}
        {children}
      </span>
      <Badge tone={tone}>{state}</Badge>
      {text !== "" && <p className="small quiet health-text">{text}</p>}
    </li>
  );
}

function HealthLoading({ label }: { label: string }) {
  return (
    <li>
      <Loading lines={1} label={label} />
    </li>
  );
}

/** The state of a model or a source: a word, and what it means. */
interface HealthWords {
  state: string;
  tone: Tone;
  text: string;
}

interface ModelServer {
  reason: string | null;
  hint: string | null;
}

/** Says whether a model answers. Only owners of the server are told which of its Ollama servers has what wrong. */
export function modelHealth(model: string | null, servers: readonly ModelServer[]): HealthWords {
  const troubled = servers.filter(({ reason }) => reason !== null);
  const reasons = troubled.flatMap(({ reason, hint }) =>
    [reason, hint].flatMap((words) => (words === null || words === "" ? [] : [sentence(words)])),
  );
  if (model === null)
    return {
      state: "No model",
      tone: "warn",
      text: ["Answers are quoted from the docs.", ...reasons].join(" "),
    };
  if (troubled.length > 0)
    return { state: "Partly", tone: "warn", text: [`${model} answers.`, ...reasons].join(" ") };
  return { state: "Answers", tone: "good", text: model };
}

/** Says whether a source is read as it should be. */
export function sourceHealth({ lastRun, notRead }: Pick<Source, "lastRun" | "notRead">): HealthWords {
  if (notRead !== null) return { state: "Not read", tone: "warn", text: notReadWords(notRead) };
  if (lastRun === null) return { state: "Not read yet", tone: "quiet", text: "" };
  if (lastRun.outcome === null) return { state: "Interrupted", tone: "warn", text: "" };
  const { label, tone } = outcomeOf(lastRun);
  return { state: label, tone, text: lastRun.message ?? countsLine(lastRun.counts) };
}

/** The order of states, the worst first. */
const TONES: readonly Tone[] = ["bad", "warn", "quiet", "accent", "good"];

/** The sources with their states: those that need attention come first. */
function worstFirst<Known extends Pick<Source, "lastRun" | "notRead">>(sources: readonly Known[]) {
  const rank = ({ health }: { health: HealthWords }) => TONES.indexOf(health.tone);
  return sources
    .map((source) => ({ source, health: sourceHealth(source) }))
    .sort((one, other) => rank(one) - rank(other));
}
