import { spokenLanguage } from "@docent/kernel/text/languages";
import { Field } from "../kit/form/field.tsx";
import { type Option, Select } from "../kit/form/select.tsx";
import { Switch } from "../kit/form/switch.tsx";
import { TextArea, TextInput } from "../kit/form/text-input.tsx";
import { TextList } from "../kit/form/text-list.tsx";
import { Card } from "../kit/layout/card.tsx";
import { formatNumber } from "../kit/text/format-number.ts";
import type { SiteDefaults } from "../replies.ts";
import type { SiteView } from "../site-view.ts";
import { filledLines } from "../text.ts";
import { useResource } from "../use-resource.ts";
import { SettingsFormFrame } from "./settings-form.tsx";
import { type SettingsForm, type SiteChange, useSettingsForm } from "./use-settings-form.ts";

const INSTRUCTIONS_MAX = 4000;
const STARTERS_MAX = 8;

const CHAT_MODES: readonly Option<Draft["chat"]>[] = [
  { value: "off", label: "Off" },
  { value: "asker", label: "Only the one who asked" },
  { value: "channel", label: "Everyone in the channel" },
];

const read = ({ settings }: SiteView) => {
  const { instructions, starterQuestions, contact, handOver, chat, suggestions, phrases } = settings;
  return { instructions, starterQuestions, contact, handOver, chat, suggestions, phrases };
};

type Draft = ReturnType<typeof read>;

interface CardProps {
  form: SettingsForm<Draft>;
}

const toChange = (draft: Draft): SiteChange => ({
  settings: { ...draft, starterQuestions: filledLines(draft.starterQuestions) },
});

const FIELDS = ["instructions", "starterQuestions", "contact", "handOver", "chat", "phrases"].map(
  (name) => `settings.${name}`,
);

/** How answers sound, what they offer, and whom they send readers to. */
export function AnswersForm({ site }: { site: SiteView }) {
  const form = useSettingsForm(site, { read, toChange });
  const defaults = useResource<SiteDefaults>("/v1/admin/defaults");
  const { draft, set, fault } = form;
  return (
    <SettingsFormFrame form={form} fields={FIELDS}>
      <InstructionsCard form={form} />
      <OffersCard form={form} />
      <Card
        title="Docent's own sentences"
        description="What readers are told that neither your docs nor a model wrote. Leave a field empty for the words that stand in it."
      >
        <PhrasesFields
          phrases={draft.phrases}
          defaults={defaults.data?.phrases[spokenLanguage(site.settings.language) ?? "en"]}
          onChange={(phrases) => set({ phrases })}
          fault={fault}
        />
      </Card>
    </SettingsFormFrame>
  );
}

function InstructionsCard({ form: { draft, set, fault } }: CardProps) {
  return (
    <Card title="What the model is told">
      <div className="form">
        <Field
          label="Instructions"
          hint={
            <>
              <span className="character-count">
                {formatNumber(draft.instructions.length)} of {formatNumber(INSTRUCTIONS_MAX)}
              </span>{" "}
              Tone, names of your products, what to refuse. They come on top of Docent's own: answer from the
              docs alone, and cite them.
            </>
          }
          isOptional
          error={fault("settings.instructions")}
        >
          <TextArea
            value={draft.instructions}
            onChange={(instructions) => set({ instructions })}
            rows={7}
            maxLength={INSTRUCTIONS_MAX}
            placeholder="Call the product Acme Cloud, never ACME. Be brief. For prices, send readers to the pricing page."
          />
        </Field>
      </div>
    </Card>
  );
}

function OffersCard({ form }: CardProps) {
  const { draft, set, fault } = form;
  return (
    <Card title="What readers are offered">
      <div className="form">
        <TextList
          label="Starter questions"
          hint="A chat may offer these before the first question is asked."
          one="question"
          texts={draft.starterQuestions}
          onChange={(starterQuestions) => set({ starterQuestions })}
          max={STARTERS_MAX}
          maxLength={200}
          placeholder="How do I install it?"
          error={fault("settings.starterQuestions")}
        />
        <Switch
          label="Pages worth reading next"
          hint="Answers end with links to up to three pages that they do not cite."
          checked={draft.suggestions}
          onChange={(suggestions) => set({ suggestions })}
        />
        <Field
          label="Contact"
          hint="Where readers turn when the docs do not say: an e-mail address, or that of a page."
          isOptional
          error={fault("settings.contact")}
        >
          <TextInput
            value={draft.contact}
            onChange={(contact) => set({ contact })}
            maxLength={500}
            placeholder="docs@example.com"
          />
        </Field>
        <Field
          label="Ask a person"
          hint="Where a conversation goes when its reader asks for a person in the widget: an e-mail address or a webhook that the server's operator allows. Leave it empty to offer no form."
          isOptional
          error={fault("settings.handOver")}
        >
          <TextInput
            value={draft.handOver}
            onChange={(handOver) => set({ handOver })}
            maxLength={500}
            placeholder="support@example.com"
          />
        </Field>
        <ChatField form={form} />
      </div>
    </Card>
  );
}

function ChatField({ form: { draft, set, fault } }: CardProps) {
  return (
    <Field
      label="Answers in chats"
      hint="Who sees answers in Slack, Mattermost, Rocket.Chat and Discord. The server's operator says which chats may ask."
      error={fault("settings.chat")}
    >
      <Select value={draft.chat} options={CHAT_MODES} onChange={(chat) => set({ chat })} />
    </Field>
  );
}

type Phrases = SiteView["settings"]["phrases"];
type PhraseName = keyof Phrases;

/** When each of them is said. */
const PHRASE_LABELS: Record<PhraseName, string> = {
  notCovered: "The docs do not cover a question",
  nearest: "Before the pages that come nearest",
  contact: "Before your contact",
  quoting: "Before passages that are quoted word for word",
  touching: "Before pages that only touch on a question",
  sources: "Before links to what an answer rests on",
  failed: "An answer broke off",
  cutOff: "After an answer that became too long",
  pageNotFound: "A page of the reader site is not there",
};
const PHRASE_NAMES = Object.keys(PHRASE_LABELS) as PhraseName[];

interface PhrasesFieldsProps {
  phrases: Phrases;
  defaults: Readonly<Record<PhraseName, string>> | undefined;
  onChange: (phrases: Phrases) => void;
  fault: (path: string) => string | undefined;
}

/** One field for each of Docent's own sentences. */
function PhrasesFields({ phrases, defaults, onChange, fault }: PhrasesFieldsProps) {
  const changed = (name: PhraseName, text: string): Phrases => {
    const { [name]: _, ...others } = phrases;
    return text === "" ? others : { ...others, [name]: text };
  };
  return (
    <div className="form">
      {PHRASE_NAMES.map((name) => (
        <Field key={name} label={PHRASE_LABELS[name]} error={fault(`settings.phrases.${name}`)}>
          <TextInput
            value={phrases[name] ?? ""}
            onChange={(text) => onChange(changed(name, text))}
            placeholder={defaults?.[name]}
            maxLength={2000}
          />
        </Field>
      ))}
    </div>
  );
}
