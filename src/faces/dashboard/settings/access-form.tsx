import { Notice } from "../kit/feedback/notice.tsx";
import { Switch } from "../kit/form/switch.tsx";
import { TextList } from "../kit/form/text-list.tsx";
import { Card } from "../kit/layout/card.tsx";
import { hrefOf, pathTo } from "../router.ts";
import { useSession } from "../session-context.ts";
import type { SiteView } from "../site-view.ts";
import { filledLines } from "../text.ts";
import { ReadersCard } from "./readers-card.tsx";
import { SettingsFormFrame } from "./settings-form.tsx";
import { type SettingsForm, type SiteChange, useSettingsForm } from "./use-settings-form.ts";

const ORIGINS_MAX = 100;
const HOST_NAMES_MAX = 20;

const read = ({ settings }: SiteView) => ({
  origins: settings.origins,
  public: settings.public,
  readers: settings.readers,
  hosts: settings.hosts,
  movedFromHosted: settings.movedFromHosted,
});
type Draft = ReturnType<typeof read>;

interface CardProps {
  form: SettingsForm<Draft>;
}

const toChange = (draft: Draft): SiteChange => ({
  settings: {
    origins: filledLines(draft.origins),
    public: draft.public,
    readers: draft.readers,
    movedFromHosted: draft.movedFromHosted,
  },
});
/** Which names lead to a server is for those to say whom it belongs to. */
const toOwnersChange = (draft: Draft): SiteChange => ({
  ...toChange(draft),
  hostNames: filledLines(draft.hosts).map((name) => name.toLowerCase()),
});

const FIELDS = [
  "settings.origins",
  "settings.public",
  "settings.readers",
  "settings.movedFromHosted",
  "settings.hosts",
  "hostNames",
  "hosts",
];

/** Whose pages may ask, and what anyone may read. */
export function AccessForm({ site }: { site: SiteView }) {
  const { member } = useSession();
  const form = useSettingsForm(site, { read, toChange: member.isServerOwner ? toOwnersChange : toChange });
  const { draft, set } = form;
  return (
    <>
      <SettingsFormFrame form={form} fields={FIELDS}>
        <OriginsCard form={form} />
        <PublicCard form={form} site={site} />
        <Card title="Saved conversations">
          <div className="form">
            <Switch
              label="This site moved here from a hosted assistant"
              hint="Apps may have saved conversations there. Docent does not have them: with this, a question to one of them begins a new conversation, and without it is refused."
              checked={draft.movedFromHosted}
              onChange={(movedFromHosted) => set({ movedFromHosted })}
            />
          </div>
        </Card>
        {member.isServerOwner && <HostNamesCard form={form} />}
      </SettingsFormFrame>
      {/* Read anew when what it tells of has been saved. */}
      <ReadersCard key={`${site.settings.readers} ${site.settings.public}`} site={site} />
    </>
  );
}

function OriginsCard({ form: { draft, set, fault } }: CardProps) {
  return (
    <Card
      title="Pages that may ask"
      description="Browsers let pages of these origins use the assistant with one of its keys, and of no others."
    >
      <div className="form">
        {draft.origins.length === 0 && (
          <Notice tone="quiet">
            Pages of any origin may ask. Add the origin of your docs to change that.
          </Notice>
        )}
        <TextList
          label="Origins"
          one="origin"
          texts={draft.origins}
          onChange={(origins) => set({ origins })}
          max={ORIGINS_MAX}
          placeholder="https://docs.example.com"
          error={fault("settings.origins")}
          isMono
        />
      </div>
    </Card>
  );
}

function PublicCard({ form: { draft, set }, site }: CardProps & { site: SiteView }) {
  const { publicUrl } = useSession();
  const readerSite = hrefOf(pathTo(["sites", site.domain]));
  return (
    <Card title="Reading">
      <div className="form">
        <Switch
          label="Only people who have signed in can read"
          hint="Readers sign in with a provider, or this site's own server vouches for them. Everyone else is asked to sign in, at every address and by every door."
          checked={draft.readers === "signed-in"}
          onChange={(isSignedIn) => set({ readers: isSignedIn ? "signed-in" : "public" })}
        />
        <Switch
          label="Anyone can read the pages here"
          hint="Where nobody has to sign in: the reader site works without a signed link, pages are available as Markdown with llms.txt, and agents can read them over MCP without a key."
          checked={draft.public}
          onChange={(isPublic) => set({ public: isPublic })}
        />
        {(site.settings.public || site.settings.readers === "signed-in") && (
          <p className="small">
            They are at{" "}
            <a href={readerSite} target="_blank" rel="noreferrer">
              {publicUrl}/sites/{site.domain}
            </a>
            .
          </p>
        )}
      </div>
    </Card>
  );
}

function HostNamesCard({ form: { draft, set, fault } }: CardProps) {
  return (
    <Card
      title="Host names"
      description="Names that lead to this server, under which the site's public texts are at the root."
    >
      <div className="form">
        <TextList
          label="Names"
          one="name"
          texts={draft.hosts}
          onChange={(hosts) => set({ hosts })}
          max={HOST_NAMES_MAX}
          placeholder="docs.example.com"
          error={fault("hostNames") ?? fault("hosts") ?? fault("settings.hosts")}
          isMono
        />
      </div>
    </Card>
  );
}
