import { Notice } from "../kit/feedback/notice.tsx";
import { Field } from "../kit/form/field.tsx";
import { NumberInput } from "../kit/form/number-input.tsx";
import { type Option, Select } from "../kit/form/select.tsx";
import { Card } from "../kit/layout/card.tsx";
import { formatNumber } from "../kit/text/format-number.ts";
import { isOffered, modelOptions } from "../model-options.ts";
import type { OfferedModels, SiteDefaults } from "../replies.ts";
import type { SiteView } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import { EnrichmentCard } from "./enrichment-card.tsx";
import { MeasureField } from "./measure-field.tsx";
import { SettingsFormFrame } from "./settings-form.tsx";
import { type SettingsForm, type SiteChange, useSettingsForm } from "./use-settings-form.ts";

const PASSAGES_MAX = 20;

type AnswerWhen = NonNullable<SiteView["settings"]["answerWhen"]>;

type SearchMode = SiteView["settings"]["searchMode"];

interface Draft {
  model: string;
  searchMode: SearchMode;
  answerWhen: AnswerWhen | null;
  relevanceMin: number | null;
  curatedMin: number | null;
  /** The size of a page, which may be missing while it is typed. */
  pageSize: number | undefined;
  enrichment: SiteView["settings"]["enrichment"];
}

const read = ({ settings }: SiteView): Draft => {
  const { model, searchMode, answerWhen, relevanceMin, curatedMin, pageSize, enrichment } = settings;
  return { model, searchMode, answerWhen, relevanceMin, curatedMin, pageSize, enrichment };
};

const toChange = ({ pageSize = 0, ...draft }: Draft): SiteChange => ({ settings: { ...draft, pageSize } });

const FIELDS = [
  "model",
  "searchMode",
  "answerWhen",
  "relevanceMin",
  "curatedMin",
  "pageSize",
  "enrichment",
].map((name) => `settings.${name}`);

/** What writes the answers, from how much, and when none is written. */
export function ModelForm({ site }: { site: SiteView }) {
  const form = useSettingsForm(site, { read, toChange });
  const models = useResource<OfferedModels>("/v1/admin/models");
  const { draft, set, fault } = form;
  const isGone = models.data !== undefined && draft.model !== "" && !isOffered(models.data, draft.model);
  const chosen = models.data?.models.find(({ name }) => name === (draft.model || models.data?.own));
  return (
    <SettingsFormFrame form={form} fields={FIELDS}>
      <Card title="Model">
        <div className="form">
          <Field
            label="Answers are written by"
            hint={chosen && `It reads up to ${formatNumber(chosen.contextTokens)} tokens.`}
            error={fault("settings.model")}
          >
            <Select
              value={draft.model}
              options={modelOptions(models.data, draft.model)}
              onChange={(model) => set({ model })}
              disabled={models.state !== "ready"}
            />
          </Field>
          {isGone && (
            <Notice tone="warn">
              {draft.model} is not there now. The server's own model answers until it is.
            </Notice>
          )}
          {models.data?.own === null && (
            <Notice tone="warn">No model can answer now. Readers get quotes from the docs.</Notice>
          )}
        </div>
      </Card>
      <RetrievalCard form={form} />
      <EnrichmentCard
        domain={site.domain}
        value={draft.enrichment}
        onChange={(enrichment) => set({ enrichment })}
        error={fault("settings.enrichment")}
      />
    </SettingsFormFrame>
  );
}

const WHEN_WORDS: Readonly<Record<AnswerWhen, string>> = {
  cautious: "only where the docs surely cover them",
  balanced: "where the docs probably cover them",
  eager: "wherever the docs may cover them",
};

const SEARCH_OPTIONS: Option<SearchMode>[] = [
  { value: "auto", label: "By the model too, where it has shown that it does" },
  { value: "search", label: "By the model too, where it says that it can" },
  { value: "single", label: "Once for each question" },
];

/** Who searches the docs. */
function SearchField({ draft, set, fault }: Pick<SettingsForm<Draft>, "draft" | "set" | "fault">) {
  return (
    <Field
      label="The docs are searched"
      hint="A model that can call tools may search again and read pages before it answers."
      error={fault("settings.searchMode")}
    >
      <Select
        value={draft.searchMode}
        options={SEARCH_OPTIONS}
        onChange={(searchMode) => set({ searchMode })}
      />
    </Field>
  );
}

/** The ways to answer, and that of the server, which is null where it has an exact number instead. */
function whenOptions(ofServer: AnswerWhen | null | undefined): Option<AnswerWhen | "">[] {
  return [
    { value: "", label: ofServer ? `As the server says (${ofServer})` : "As the server says" },
    { value: "cautious", label: `Cautiously: ${WHEN_WORDS.cautious}` },
    { value: "balanced", label: `In balance: ${WHEN_WORDS.balanced}` },
    { value: "eager", label: `Eagerly: ${WHEN_WORDS.eager}` },
  ];
}

/** From how much an answer is written, and when none is. */
function RetrievalCard({ form: { draft, set, fault } }: { form: SettingsForm<Draft> }) {
  const { data: defaults } = useResource<SiteDefaults>("/v1/admin/defaults");
  return (
    <Card title="How answers are found">
      <div className="form">
        <Field
          label="Passages for an answer"
          hint="More of the docs reach the model, and its first word comes later."
          error={fault("settings.pageSize") && `Write a number from 1 to ${PASSAGES_MAX}.`}
        >
          <NumberInput
            value={draft.pageSize}
            onChange={(pageSize) => set({ pageSize })}
            min={1}
            max={PASSAGES_MAX}
            step={1}
          />
        </Field>
        <SearchField draft={draft} set={set} fault={fault} />
        <Field
          label="Questions are answered"
          hint={
            draft.relevanceMin === null
              ? "Otherwise readers are told that the docs do not cover the question."
              : "The relevance of its own decides instead. Switch it off to choose here."
          }
          error={fault("settings.answerWhen")}
        >
          <Select
            value={draft.answerWhen ?? ""}
            options={whenOptions(defaults?.answerWhen)}
            onChange={(when) => set({ answerWhen: when === "" ? null : when })}
            disabled={draft.relevanceMin !== null}
          />
        </Field>
        <MeasureField
          label="A relevance of its own"
          hint="An exact number in place of the choice above: below it, the docs are said not to cover a question."
          value={draft.relevanceMin}
          ofServer={defaults?.relevanceMin}
          onChange={(relevanceMin) => set({ relevanceMin })}
          ends={["answers more", "declines more"]}
          error={fault("settings.relevanceMin")}
        />
        <MeasureField
          label="A nearness of its own for curated answers"
          hint="How near a question has to be to one of a curated answer's questions."
          value={draft.curatedMin}
          ofServer={defaults?.curatedMin}
          onChange={(curatedMin) => set({ curatedMin })}
          ends={["gives them more", "the same words only"]}
          error={fault("settings.curatedMin")}
        />
      </div>
    </Card>
  );
}
