import { Button } from "../kit/buttons/button.tsx";
import { Field } from "../kit/form/field.tsx";
import { NumberInput } from "../kit/form/number-input.tsx";
import { Select } from "../kit/form/select.tsx";
import { TextArea, TextInput } from "../kit/form/text-input.tsx";
import { Card } from "../kit/layout/card.tsx";
import { modelOptions } from "../model-options.ts";
import type { OfferedModels } from "../replies.ts";
import type { SiteView } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import { type AskSettings, countSet, NO_SETTINGS } from "./ask-settings.ts";

const PASSAGES_MAX = 20;

interface OptionsCardProps {
  site: SiteView;
  settings: AskSettings;
  onChange: (settings: AskSettings) => void;
}

/** With what the next question is asked. */
export function OptionsCard({ site, settings, onChange }: OptionsCardProps) {
  const models = useResource<OfferedModels>("/v1/admin/models");
  const set = (change: Partial<AskSettings>) => onChange({ ...settings, ...change });
  const own = site.settings.model || models.data?.own || "quotes from the docs";
  const options = modelOptions(models.data, settings.model).map((option) =>
    option.value === "" ? { ...option, label: `The site's: ${own}` } : option,
  );
  return (
    <Card
      title="The next question"
      actions={
        countSet(settings) > 0 && (
          <Button size="small" kind="quiet" onClick={() => onChange(NO_SETTINGS)}>
            As readers ask
          </Button>
        )
      }
    >
      <div className="form">
        <Field label="Model">
          <Select value={settings.model} options={options} onChange={(model) => set({ model })} />
        </Field>
        <Field label="Passages" hint={`The site's is ${site.settings.pageSize}.`}>
          <NumberInput
            value={settings.pageSize}
            onChange={(pageSize) => set({ pageSize })}
            min={1}
            max={PASSAGES_MAX}
            placeholder={String(site.settings.pageSize)}
          />
        </Field>
        <div className="options-pair">
          <Field label="Version">
            <TextInput value={settings.version} onChange={(version) => set({ version })} placeholder="any" />
          </Field>
          <Field label="Language">
            <TextInput
              value={settings.language}
              onChange={(language) => set({ language })}
              placeholder="any"
            />
          </Field>
        </div>
        <ReaderFields settings={settings} set={set} />
      </div>
    </Card>
  );
}

interface ReaderFieldsProps {
  settings: AskSettings;
  set: (change: Partial<AskSettings>) => void;
}

function ReaderFields({ settings, set }: ReaderFieldsProps) {
  return (
    <details className="more">
      <summary>What the reader has before them</summary>
      <div className="form">
        <Field label="Page they are on" isOptional>
          <TextInput
            value={settings.currentPath}
            onChange={(currentPath) => set({ currentPath })}
            placeholder="/guide/install"
            maxLength={200}
            isMono
          />
        </Field>
        <Field label="Text that they selected" isOptional>
          <TextArea value={settings.context} onChange={(context) => set({ context })} rows={3} />
        </Field>
        <Field label="Tag" isOptional>
          <TextInput value={settings.tag} onChange={(tag) => set({ tag })} />
        </Field>
      </div>
    </details>
  );
}
