import { type LabelledLink, readLabelledLink, writeLabelledLink } from "@docent/kernel/text/labelled-link";
import { Field } from "../kit/form/field.tsx";
import { TextInput } from "../kit/form/text-input.tsx";
import { TextList } from "../kit/form/text-list.tsx";
import { Card } from "../kit/layout/card.tsx";
import { hrefOf, Link, pathTo } from "../router.ts";
import { useSession } from "../session-context.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { filledLines } from "../text.ts";
import { SettingsFormFrame } from "./settings-form.tsx";
import { type SettingsForm, type SiteChange, useSettingsForm } from "./use-settings-form.ts";

const HEADER_LINKS_MAX = 6;
const FOOTER_LINKS_MAX = 12;
const FOOTER_CHARACTERS_MAX = 300;

const read = ({ settings: { headerLinks, footerLinks, footerText } }: SiteView) => ({
  headerLinks: headerLinks.map(writeLabelledLink),
  footerLinks: footerLinks.map(writeLabelledLink),
  footerText,
});
type Draft = ReturnType<typeof read>;

const linksIn = (lines: string[]): LabelledLink[] => filledLines(lines).map(readLabelledLink);

const toChange = ({ headerLinks, footerLinks, footerText }: Draft): SiteChange => ({
  settings: { headerLinks: linksIn(headerLinks), footerLinks: linksIn(footerLinks), footerText },
});

const FIELDS = ["settings.headerLinks", "settings.footerLinks", "settings.footerText"];

/** What stands around the pages of the reader site. */
export function ReaderForm({ site }: { site: SiteView }) {
  const form = useSettingsForm(site, { read, toChange });
  return (
    <SettingsFormFrame form={form} fields={FIELDS}>
      <PlaceCard site={site} />
      <LinksCard form={form} />
    </SettingsFormFrame>
  );
}

function PlaceCard({ site }: { site: SiteView }) {
  const { publicUrl } = useSession();
  return (
    <Card title="Your docs site">
      <div className="form">
        <p>
          The reader site shows your docs at{" "}
          <a href={hrefOf(pathTo(["sites", site.domain]))} target="_blank" rel="noreferrer">
            {publicUrl}/sites/{site.domain}/
          </a>
          . {whoReads(site)} <Link to={sitePath(site, "settings", "access")}>Change who may read it</Link>
        </p>
        <p className="small quiet">
          Its accent and logo are those of the <Link to={sitePath(site, "settings", "widget")}>widget</Link>.
          A logo is shown if its picture is kept here. One at an address is not, because the pages load
          nothing from elsewhere.
        </p>
      </div>
    </Card>
  );
}

function LinksCard({ form: { draft, set, fault } }: { form: SettingsForm<Draft> }) {
  return (
    <Card
      title="Links"
      description="Write what the link says, then its address: a page elsewhere, or a path of the site such as /guide."
    >
      <div className="form">
        <TextList
          label="At the top"
          one="link"
          texts={draft.headerLinks}
          onChange={(headerLinks) => set({ headerLinks })}
          max={HEADER_LINKS_MAX}
          placeholder="GitHub https://github.com/acme"
          error={fault("settings.headerLinks")}
        />
        <TextList
          label="At the bottom"
          one="link"
          texts={draft.footerLinks}
          onChange={(footerLinks) => set({ footerLinks })}
          max={FOOTER_LINKS_MAX}
          placeholder="Imprint https://example.com/imprint"
          error={fault("settings.footerLinks")}
        />
        <Field label="Words at the bottom" isOptional error={fault("settings.footerText")}>
          <TextInput
            value={draft.footerText}
            onChange={(footerText) => set({ footerText })}
            placeholder="© Acme"
            maxLength={FOOTER_CHARACTERS_MAX}
          />
        </Field>
      </div>
    </Card>
  );
}

function whoReads({ settings }: SiteView): string {
  if (settings.readers === "signed-in") return "Members can read it, and readers who have signed in.";
  return settings.public
    ? "Anyone can read it."
    : "Members can read it, and so can anyone with a link from an answer.";
}
