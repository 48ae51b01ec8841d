import type { serverStateShape } from "@docent/doors/admin/shapes";
import { asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { Button } from "../kit/buttons/button.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Card } from "../kit/layout/card.tsx";
import { formatBytes } from "../kit/text/format-number.ts";
import { Time } from "../kit/text/time.tsx";
import { hrefOf } from "../router.ts";

type Scheduled = z.output<typeof serverStateShape>["backups"];

const FRAME = "backup";
/** A copy of a large database is written before the first of it is sent. */
const STARTING_MS = 20_000;

/**
 * A copy of everything, straight to the disk: a form sends for it, because what a script reads would have to fit into
 * the browser's memory. What comes back instead of a file lands in a frame that nobody sees, and is told here.
 */
export function BackupCard({
  databaseBytes,
  scheduled,
}: {
  databaseBytes: number | undefined;
  scheduled: Scheduled;
}) {
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
        <ScheduledBackups scheduled={scheduled} />
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

/** How the backups go that the server makes by itself. */
function ScheduledBackups({ scheduled }: { scheduled: Scheduled }) {
  if (scheduled === null) {
    return (
      <p className="small quiet">
        The server makes none by itself. Start it with <code>--backup-every-hours 24</code> for one a day.
      </p>
    );
  }
  const { newest, failure, everyHours, folder, nextAt, isOverdue } = scheduled;
  return (
    <>
      {failure !== null && (
        <Notice tone="bad">
          The last scheduled backup failed <Time at={failure.at} />: {failure.says} {failure.hint}
        </Notice>
      )}
      {failure === null && isOverdue && <Notice tone="bad">A scheduled backup is overdue.</Notice>}
      <p className="small">
        One is made {everyHours === 1 ? "every hour" : `every ${everyHours} hours`}, and checked, in{" "}
        <code>{folder}</code>.{" "}
        {newest !== null && (
          <>
            The newest is of <Time at={newest.at} />, {formatBytes(newest.bytes)}.{" "}
          </>
        )}
        The next is due <Time at={nextAt} isWhole />.
      </p>
    </>
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
