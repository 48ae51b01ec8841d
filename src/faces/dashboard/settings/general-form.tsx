import { useState } from "react";
import { Field } from "../kit/form/field.tsx";
import { Select } from "../kit/form/select.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { Card } from "../kit/layout/card.tsx";
import type { SiteView } from "../site-view.ts";
import { SettingsFormFrame } from "./settings-form.tsx";
import { type SettingsForm, type SiteChange, useSettingsForm } from "./use-settings-form.ts";

const ANCHORS = [
  { value: "github", label: "GitHub, VS Code and most others" },
  { value: "docusaurus", label: "Docusaurus" },
  { value: "mintlify", label: "Mintlify" },
  { value: "vitepress", label: "VitePress" },
  { value: "mkdocs", label: "MkDocs" },
  { value: "sphinx", label: "Sphinx" },
] as const;

const read = ({ name, url, settings }: SiteView) => {
  const { language, anchors, defaultVersion, defaultLanguage } = settings;
  return { name, url: url ?? "", language, anchors, defaultVersion, defaultLanguage };
};

interface CardProps {
  form: SettingsForm<ReturnType<typeof read>>;
}

const toChange = ({ name, url, ...settings }: ReturnType<typeof read>): SiteChange => ({
  name,
  url,
  settings,
});

const FIELDS = [
  "name",
  "url",
  ...["language", "anchors", "defaultVersion", "defaultLanguage"].map((name) => `settings.${name}`),
];

/** What a site is called and where it is published. */
export function GeneralForm({ site }: { site: SiteView }) {
  const form = useSettingsForm(site, { read, toChange });
  return (
    <SettingsFormFrame form={form} fields={FIELDS}>
      <SiteCard form={form} />
      <VersionsCard form={form} />
    </SettingsFormFrame>
  );
}

function SiteCard({ form: { draft, set, fault } }: CardProps) {
  return (
    <Card title="The site">
      <div className="form">
        <Field label="Name" hint="For people: in the widget and in the dashboard." error={fault("name")}>
          <TextInput value={draft.name} onChange={(name) => set({ name })} maxLength={200} required />
        </Field>
        <Field
          label="Published at"
          hint="Answers link to the pages there. Leave it empty to link to the reader site."
          isOptional
          error={fault("url")}
        >
          <TextInput
            value={draft.url}
            onChange={(url) => set({ url })}
            type="url"
            inputMode="url"
            placeholder="https://docs.example.com"
            isMono
          />
        </Field>
        <Field
          label="Anchors of headings"
          hint="Links of citations end in them: choose those of your published pages. It applies from the next run of the sources on. Docs whose generator is recognized have its own."
          error={fault("settings.anchors")}
        >
          <Select value={draft.anchors} options={ANCHORS} onChange={(anchors) => set({ anchors })} />
        </Field>
      </div>
    </Card>
  );
}

function VersionsCard({ form: { draft, set, fault } }: CardProps) {
  return (
    <Card title="Languages and versions">
      <div className="form">
        <LanguageField
          value={draft.language}
          onChange={(language) => set({ language })}
          error={fault("settings.language")}
        />
        <Field
          label="Default version of the docs"
          hint="The one that a link without a version means, such as 2.0."
          isOptional
          error={fault("settings.defaultVersion")}
        >
          <TextInput
            value={draft.defaultVersion}
            onChange={(defaultVersion) => set({ defaultVersion })}
            maxLength={100}
          />
        </Field>
        <Field
          label="Default language of the docs"
          hint="The one that a link without a language means, such as en."
          isOptional
          error={fault("settings.defaultLanguage")}
        >
          <TextInput
            value={draft.defaultLanguage}
            onChange={(defaultLanguage) => set({ defaultLanguage })}
            maxLength={100}
          />
        </Field>
      </div>
    </Card>
  );
}

const KNOWN_LANGUAGES = [
  { value: "en", label: "English" },
  { value: "de", label: "Deutsch" },
  { value: "es", label: "Español" },
  { value: "fr", label: "Français" },
  { value: "ja", label: "日本語" },
  { value: "zh", label: "中文" },
  { value: "other", label: "Another one…" },
];

interface LanguageFieldProps {
  value: string;
  onChange: (language: string) => void;
  error: string | undefined;
}

/** The language of Docent's own sentences: one that it knows, or any tag, for sentences in the owner's words. */
function LanguageField({ value, onChange, error }: LanguageFieldProps) {
  const isKnown = KNOWN_LANGUAGES.some((each) => each.value === value && value !== "other");
  const [isOther, setIsOther] = useState(!isKnown);
  const choose = (chosen: string) => {
    setIsOther(chosen === "other");
    if (chosen !== "other") onChange(chosen);
  };
  return (
    <>
      <Field
        label="Language of Docent's own sentences"
        hint="Such as “The documentation doesn't cover this.” Answers are in the language of the question."
        error={isOther ? undefined : error}
      >
        <Select value={isOther ? "other" : value} options={KNOWN_LANGUAGES} onChange={choose} />
      </Field>
      {isOther && (
        <Field
          label="Its tag"
          hint="As in de-AT or pt-BR. Docent speaks English where it does not know the language: put its sentences into your own words under Answers."
          error={error}
        >
          <TextInput value={value} onChange={onChange} maxLength={35} isMono />
        </Field>
      )}
    </>
  );
}
