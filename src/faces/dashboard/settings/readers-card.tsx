import type { newReaderSecretShape, siteReadersShape } from "@docent/doors/admin/shapes";
import { useState } from "react";
import type { z } from "zod";
import { useApi } from "../api.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Card } from "../kit/layout/card.tsx";
import { useConfirm } from "../kit/overlay/confirm.tsx";
import { ShownOnceDialog } from "../kit/overlay/shown-once-dialog.tsx";
import { actionsColumn, type Column, Table } from "../kit/table/table.tsx";
import { Time } from "../kit/text/time.tsx";
import { siteOperations } from "../replies.ts";
import type { SiteView } from "../site-view.ts";
import { useAttempt } from "../use-attempt.ts";
import { useResource } from "../use-resource.ts";

type SiteReaders = z.output<typeof siteReadersShape>;
type Secret = SiteReaders["secrets"][number];
type NewSecret = z.output<typeof newReaderSecretShape>;

const SECRETS_MAX = 2;

/** Who can read a site now, and what its own server signs tokens for its readers with. */
export function ReadersCard({ site }: { site: SiteView }) {
  const operations = siteOperations(site.domain);
  const secretsPath = `${operations}/reader-secrets`;
  const readers = useResource<SiteReaders>(`${operations}/readers`);
  const api = useApi();
  const attempt = useAttempt();
  const end = useEnd(secretsPath, readers.reload);
  const [created, setCreated] = useState<NewSecret>();
  const create = async () => {
    await attempt(async () => setCreated(await api.post<NewSecret>(secretsPath, {})));
    await readers.reload();
  };
  const secrets = readers.data?.secrets ?? [];
  return (
    <Card
      title="Tokens for readers"
      description="A site with a sign-in of its own vouches for its readers: its server signs a short token with a secret."
    >
      <div className="stack">
        <Loaded of={readers} label="Loading who can read it" shape="rows" lines={2} />
        {readers.data && (
          <Notice tone="quiet">
            Who can read this site now: <strong>{readers.data.sentence}</strong>
          </Notice>
        )}
        {secrets.length > 0 && (
          <Table
            label="Secrets for readers' tokens"
            rows={secrets}
            columns={site.mayChange ? [...COLUMNS, endColumn(end)] : COLUMNS}
            keyOf={({ id }) => id}
          />
        )}
        {site.mayChange && (
          <div>
            <Button icon="add" disabled={secrets.length >= SECRETS_MAX} onClick={() => void create()}>
              Make a secret
            </Button>
          </div>
        )}
      </div>
      {created && <NewSecretDialog secret={created} onClose={() => setCreated(undefined)} />}
    </Card>
  );
}

const COLUMNS: Column<Secret>[] = [
  { title: "kid", cell: ({ id }) => <code>{id}</code> },
  { title: "Made", cell: ({ createdAt }) => <Time at={createdAt} />, isNarrow: true },
  { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />, isNarrow: true },
];

const endColumn = (end: (secret: Secret) => Promise<void>): Column<Secret> =>
  actionsColumn((secret) => (
    <Button size="small" kind="quiet" onClick={() => void end(secret)} aria-label={`End ${secret.id}`}>
      End
    </Button>
  ));

function useEnd(path: string, reload: () => Promise<void>): (secret: Secret) => Promise<void> {
  const api = useApi();
  const confirm = useConfirm();
  const attempt = useAttempt();
  return async ({ id }) => {
    const isAgreed = await confirm({
      title: "End this secret?",
      text: "Tokens that were signed with it stop working at once.",
      action: "End the secret",
    });
    if (!isAgreed) return;
    await attempt(() => api.delete(`${path}/${encodeURIComponent(id)}`));
    await reload();
  };
}

/** Shows a secret, this once. */
function NewSecretDialog({ secret, onClose }: { secret: NewSecret; onClose: () => void }) {
  return (
    <ShownOnceDialog
      title="The secret is made"
      what="secret"
      label="Secret"
      text={secret.secret}
      onClose={onClose}
    >
      Keep it on the site's own server: whoever has it can sign tokens for any reader. The kid of its tokens
      is <code>{secret.id}</code>.
    </ShownOnceDialog>
  );
}
