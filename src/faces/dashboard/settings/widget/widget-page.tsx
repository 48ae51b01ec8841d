import "./widget-designer.css";
import { useState } from "react";
import { LABELS, type LabelName } from "../../../widget/labels.ts";
import { CopyBox } from "../../kit/buttons/copy.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { Notice } from "../../kit/feedback/notice.tsx";
import { Field } from "../../kit/form/field.tsx";
import { TextInput } from "../../kit/form/text-input.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { Link } from "../../router.ts";
import { useSession } from "../../session-context.ts";
import { snippetOf, usableKeys, useKeys } from "../../site-keys.ts";
import { type SiteView, sitePath } from "../../site-view.ts";
import { SettingsFormFrame } from "../settings-form.tsx";
import { SettingsHeader } from "../settings-header.tsx";
import { useSettingsForm } from "../use-settings-form.ts";
import { LookCard } from "./look-card.tsx";
import type { WidgetLook } from "./widget-look.ts";
import { WidgetPreview } from "./widget-preview.tsx";

const read = ({ settings }: SiteView): WidgetLook => settings.widget;
const toChange = (widget: WidgetLook) => ({ settings: { widget } });
const FIELDS = ["accent", "radius", "logo", "labels"].map((name) => `settings.widget.${name}`);

/** `/…/settings/widget`: how the widget looks, seen while it is changed, and what to paste. */
export function WidgetPage({ site }: { site: SiteView }) {
  const form = useSettingsForm(site, { read, toChange });
  const { draft, set, fault } = form;
  return (
    <div className="stack-wide">
      <SettingsHeader site={site} tab="widget" />
      <div className="designer">
        <div className="designer-form">
          <SettingsFormFrame form={form} fields={FIELDS}>
            <LookCard look={draft} set={set} fault={fault} />
            <LabelsCard labels={draft.labels} onChange={(labels) => set({ labels })} fault={fault} />
          </SettingsFormFrame>
        </div>
        <div className="designer-preview">
          <WidgetPreview site={site} look={draft} />
          <SnippetCard site={site} isInline={draft.variant === "inline"} />
        </div>
      </div>
    </div>
  );
}

/** What is pasted into a page, with the key that is made for it. */
function SnippetCard({ site, isInline }: { site: SiteView; isInline: boolean }) {
  const { publicUrl } = useSession();
  const keys = useKeys();
  const [key] = keys.data === undefined ? [] : usableKeys(keys.data, site);
  const { origin } = new URL(publicUrl);
  return (
    <Card
      title="On your pages"
      description="Paste this before the end of the body, on every page that should have the assistant."
    >
      <div className="stack">
        <Loaded of={keys} label="Loading the keys" lines={2} />
        {keys.state === "ready" && key && (
          <CopyBox
            label="Snippet"
            text={snippetOf({ publicUrl, domain: site.domain, key: key.key, isInline })}
          />
        )}
        {keys.state === "ready" && !key && (
          <Notice tone="warn">
            The site has no key that works.{" "}
            {site.mayChange ? (
              <>
                <Link to={sitePath(site, "settings", "keys")}>Make one</Link>, and the snippet is here.
              </>
            ) : (
              "When an owner has made one, the snippet is here."
            )}
          </Notice>
        )}
        <details className="more">
          <summary>Pages with a Content-Security-Policy</summary>
          <div className="stack">
            <p>Add these to what the policy of your pages allows:</p>
            <CopyBox label="Content-Security-Policy" text={policyFor(origin)} />
            <p className="small quiet">
              With a nonce, put it on the script's tag. The widget's styles need nothing: no policy forbids
              the way in which they are set.
            </p>
          </div>
        </details>
      </div>
    </Card>
  );
}

const policyFor = (origin: string) =>
  [`script-src ${origin}`, `connect-src ${origin}`, "img-src data:"].join(";\n");

/** Labels that a reader sees before anything else. */
const FIRST = {
  open: "On the button",
  title: "Heading of the panel",
  greeting: "Greeting",
  introduction: "Below the greeting",
  placeholder: "In the field for questions",
  disclaimer: "Below that field",
} as const satisfies Partial<Record<LabelName, string>>;
const FIRST_NAMES = Object.keys(FIRST) as (keyof typeof FIRST)[];
const OTHER_NAMES = (Object.keys(LABELS) as LabelName[]).filter((name) => !(name in FIRST));
const LABEL_CHARACTERS_MAX = 200;

interface LabelsCardProps {
  labels: WidgetLook["labels"];
  onChange: (labels: WidgetLook["labels"]) => void;
  fault: (path: string) => string | undefined;
}

/** The widget's words, for another language or another voice. */
function LabelsCard({ labels, onChange, fault }: LabelsCardProps) {
  const [query, setQuery] = useState("");
  const set = (name: LabelName, text: string) => {
    const { [name]: _, ...others } = labels;
    onChange(text === "" ? others : { ...others, [name]: text });
  };
  const field = (name: LabelName, label = wordsOf(name)) => (
    <Field key={name} label={label} error={fault(`settings.widget.labels.${name}`)}>
      <TextInput
        value={labels[name] ?? ""}
        onChange={(text) => set(name, text)}
        placeholder={LABELS[name]}
        maxLength={LABEL_CHARACTERS_MAX}
      />
    </Field>
  );
  const others = OTHER_NAMES.filter((name) => isAbout(name, query));
  const count = OTHER_NAMES.filter((name) => labels[name] !== undefined).length;
  return (
    <Card
      title="Words"
      description="Leave a field empty for the word that stands in it. What stands in braces, such as {name}, is filled in."
    >
      <div className="form">{FIRST_NAMES.map((name) => field(name, FIRST[name]))}</div>
      <details className="more labels-more">
        <summary>
          {OTHER_NAMES.length} more words{count > 0 && `, ${count} of them your own`}
        </summary>
        <div className="form">
          <Field label="Find a word" isLabelHidden>
            <TextInput value={query} onChange={setQuery} type="search" placeholder="Find a word" />
          </Field>
          {others.map((name) => field(name))}
          {others.length === 0 && <p className="quiet">No word has that in it.</p>}
        </div>
      </details>
    </Card>
  );
}

function isAbout(name: LabelName, query: string): boolean {
  const asked = query.trim().toLowerCase();
  return `${wordsOf(name)} ${LABELS[name]}`.toLowerCase().includes(asked);
}

/** `askAboutCode` is told as "Ask about code". */
const wordsOf = (name: string) =>
  name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
