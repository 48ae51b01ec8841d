import { useEffect, useRef, useState } from "react";
import { asRecord, asText, jsonIn } from "../../../text/json.ts";
import { Button } from "../kit/buttons/button.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Card } from "../kit/layout/card.tsx";
import { formatBytes } from "../kit/text/format-number.ts";
import { hrefOf } from "../router.ts";

const FRAME = "backup";
/** A copy of a large database is written before the first of it is sent. */
const STARTING_MS = 20_000;

/**
 * A copy of everything, straight to the disk: a form sends for it, because what a script reads would have to fit into
 * the browser's memory. What comes back instead of a file lands in a frame that nobody sees, and is told here.
 */
export function BackupCard({ databaseBytes }: { databaseBytes: number | undefined }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<"idle" | "starting" | { refused: string }>("idle");
  useEffect(() => {
    if (state !== "starting") return;
    const timer = setTimeout(() => setState("idle"), STARTING_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const readRefusal = () => {
    const text = frame.current?.contentDocument?.body?.textContent ?? "";
    const message = asText(asRecord(jsonIn(text))["message"]);
    if (message !== undefined) setState({ refused: message });
  };
  const size = databaseBytes === undefined ? "" : ` It is about ${formatBytes(databaseBytes)}.`;
  return (
    <Card
      title="Backup"
      description={`A copy of everything, made while the server goes on: sites, pages, conversations, members and keys.${size}`}
    >
      <div className="stack">
        <Notice tone="quiet">
          Whoever has it has all of this server: keep it where you keep passwords. It is put back by{" "}
          <code>docent restore</code>.
        </Notice>
        {typeof state === "object" && <Notice tone="bad">{state.refused}</Notice>}
        <form
          method="post"
          action={hrefOf("/v1/admin/backup")}
          target={FRAME}
          onSubmit={() => setState("starting")}
        >
          <Button type="submit" icon="download" busy={state === "starting"}>
            Download a backup
          </Button>
        </form>
        {state === "starting" && (
          <p className="small quiet" role="status">
            The copy is being made. Your browser shows the download when it begins; you can go on here
            meanwhile.
          </p>
        )}
        <iframe ref={frame} name={FRAME} title="Backup" hidden onLoad={readRefusal} />
      </div>
    </Card>
  );
}

/** Where servers share a database, it is backed up as such databases are. */
export function SharedBackupCard() {
  return (
    <Card
      title="Backup"
      description="Everything is in PostgreSQL: sites, pages, conversations, members and keys."
    >
      <Notice tone="quiet">
        Back it up with <code>pg_dump</code>, or with what your PostgreSQL is backed up with.
      </Notice>
    </Card>
  );
}
