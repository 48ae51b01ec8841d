import type { SiteView } from "../../site-view.ts";
import { SettingsFormFrame } from "../settings-form.tsx";
import { SettingsHeader } from "../settings-header.tsx";
import { useSettingsForm } from "../use-settings-form.ts";
import { LabelsCard } from "./labels-card.tsx";
import { LookCard } from "./look-card.tsx";
import { SnippetCard } from "./snippet-card.tsx";
import type { WidgetLook } from "./widget-look.ts";
import { WidgetPreview } from "./widget-preview.tsx";
import "./widget-designer.css";

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
