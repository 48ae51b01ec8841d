import { useState } from "react";
import { Button } from "../../kit/buttons/button.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { useSession } from "../../session.ts";
import { type AssistantKey, keysOf, useKeys } from "../../site-keys.ts";
import type { SiteView } from "../../site-view.ts";
import { SettingsHeader } from "../settings-header.tsx";
import { AdminKeysCard } from "./admin-keys-card.tsx";
import { useRevoke } from "./any-key.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeysTable } from "./keys-table.tsx";
import "./keys.css";

/** `/…/settings/keys`: the keys that open the site's assistant; and for owners of the server those that open the API. */
export function KeysPage({ site }: { site: SiteView }) {
  const { member } = useSession();
  const keys = useKeys();
  const [isCreating, setIsCreating] = useState(false);
  const revoke = useRevoke("/v1/admin/keys", lossOf, keys.reload);
  const own = keys.data && keysOf(keys.data, site);
  const create = site.mayChange && (
    <Button kind="primary" icon="add" onClick={() => setIsCreating(true)}>
      Make a key
    </Button>
  );
  return (
    <>
      <div className="stack-wide">
        <SettingsHeader site={site} tab="keys" />
        <section className="stack" aria-labelledby="assistant-keys">
          <div className="row-apart">
            <div>
              <h2 className="keys-title" id="assistant-keys">
                Assistant keys
              </h2>
              <p className="keys-about">
                They open this site's assistant, search and pages, and nothing else. They are made to stand in
                a page's source, where anyone can read them.
              </p>
            </div>
            {own && own.length > 0 && create}
          </div>
          <Loaded of={keys} label="Loading the keys" shape="rows" lines={3} />
          {own?.length === 0 && (
            <Empty
              icon="key"
              title="No key opens this site yet"
              text="The widget, search and API clients need one."
              action={create}
            />
          )}
          {own && own.length > 0 && <KeysTable keys={own} mayChange={site.mayChange} onRevoke={revoke} />}
        </section>
        {member.isServerOwner && <AdminKeysCard />}
      </div>
      {isCreating && (
        <CreateKeyDialog
          site={site}
          onClose={() => setIsCreating(false)}
          onCreated={() => {
            setIsCreating(false);
            void keys.reload();
          }}
        />
      )}
    </>
  );
}

const lossOf = ({ sites }: AssistantKey) =>
  `Pages that have this key in their snippet lose the assistant at once${sites === null ? ", on every site of the organization" : ""}.`;
