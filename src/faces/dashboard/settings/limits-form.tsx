import { Field } from "../kit/form/field.tsx";
import { NumberInput } from "../kit/form/number-input.tsx";
import { Switch } from "../kit/form/switch.tsx";
import { Card } from "../kit/layout/card.tsx";
import { formatNumber } from "../kit/text/format-number.ts";
import type { SiteDefaults } from "../replies.ts";
import type { SiteView } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import { SettingsFormFrame } from "./settings-form.tsx";
import { type SettingsForm, type SiteChange, useSettingsForm } from "./use-settings-form.ts";

/** What is proposed to whoever wants a limit. */
const HOURLY_PROPOSED = 500;
const DAYS_PROPOSED = 90;

/** A limit is there or not; its number may be missing while it is typed. */
interface Draft {
  hasLimit: boolean;
  hourlyMessages: number | undefined;
  forgets: boolean;
  retentionDays: number | undefined;
}

interface CardProps {
  form: SettingsForm<Draft>;
}

const read = ({ settings: { hourlyMessages, retentionDays } }: SiteView): Draft => ({
  hasLimit: hourlyMessages > 0,
  hourlyMessages: hourlyMessages || HOURLY_PROPOSED,
  forgets: retentionDays > 0,
  retentionDays: retentionDays || DAYS_PROPOSED,
});

// A number that is missing is one that the server refuses, beside its field.
const toChange = ({ hasLimit, hourlyMessages = -1, forgets, retentionDays = -1 }: Draft): SiteChange => ({
  settings: {
    hourlyMessages: hasLimit ? hourlyMessages || -1 : 0,
    retentionDays: forgets ? retentionDays || -1 : 0,
  },
});

/** How much readers may ask, and how long what they said is kept. */
export function LimitsForm({ site }: { site: SiteView }) {
  const form = useSettingsForm(site, { read, toChange });
  return (
    <SettingsFormFrame form={form} fields={["settings.hourlyMessages", "settings.retentionDays"]}>
      <MessagesCard form={form} site={site} />
      <RetentionCard form={form} />
    </SettingsFormFrame>
  );
}

function MessagesCard({ form: { draft, set, fault }, site }: CardProps & { site: SiteView }) {
  const defaults = useResource<SiteDefaults>("/v1/admin/defaults");
  const ofOrganization = defaults.data?.hourlyMessages;
  return (
    <Card
      title="Messages"
      description={
        ofOrganization === undefined ? "" : organizationSays(ofOrganization, site.organizationName)
      }
    >
      <div className="form">
        <Switch
          label="This site has a limit of its own"
          hint="So that one busy site leaves room for the organization's others."
          checked={draft.hasLimit}
          onChange={(hasLimit) => set({ hasLimit })}
        />
        {draft.hasLimit && (
          <Field
            label="At most"
            error={fault("settings.hourlyMessages") && "Write a number of messages, 1 or more."}
          >
            <NumberInput
              value={draft.hourlyMessages}
              onChange={(hourlyMessages) => set({ hourlyMessages })}
              min={1}
              step={1}
              unit="messages in any hour"
            />
          </Field>
        )}
      </div>
    </Card>
  );
}

const organizationSays = (hourly: number, name: string) =>
  hourly === 0
    ? `The server sets no limit for all sites of ${name} together.`
    : `All sites of ${name} together may be asked ${formatNumber(hourly)} times in any hour.`;

function RetentionCard({ form: { draft, set, fault } }: CardProps) {
  return (
    <Card title="What is kept">
      <div className="form">
        <Switch
          label="Questions and answers are deleted after a while"
          hint="With the searches. What was counted stays: how many there were, and how they went."
          checked={draft.forgets}
          onChange={(forgets) => set({ forgets })}
        />
        {draft.forgets && (
          <Field
            label="Kept for"
            error={fault("settings.retentionDays") && "Write a number of days, 1 to 36,500."}
          >
            <NumberInput
              value={draft.retentionDays}
              onChange={(retentionDays) => set({ retentionDays })}
              min={1}
              max={36_500}
              step={1}
              unit="days"
            />
          </Field>
        )}
      </div>
    </Card>
  );
}
