import "./notices.css";
import { useState } from "react";
import { Button } from "../kit/buttons/button.tsx";
import { Empty } from "../kit/feedback/empty.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { Card } from "../kit/layout/card.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { ShownOnceDialog } from "../kit/overlay/shown-once-dialog.tsx";
import { useRowFocus } from "../kit/table/use-row-focus.ts";
import { Badge } from "../kit/text/badge.tsx";
import {
  type NewNoticeDestination,
  NOTICES,
  type NoticeDestination,
  type PresentNotices,
  WRONG_NOW,
} from "../replies.ts";
import { Link } from "../router.ts";
import { useSession } from "../session-context.ts";
import { type Resource, useResource } from "../use-resource.ts";
import { AddDestinationDialog } from "./add-destination-dialog.tsx";
import { DestinationCard } from "./destination-card.tsx";
import { KIND_WORDS, placeOf } from "./notice-words.ts";
import { mayChangeDestination, ownersFor } from "./owners.ts";

/** Notices are sent by the minute. */
const LOOK_MS = 15_000;

/** `/notices`: who is told of what, and whether it arrives. */
export function NoticesPage() {
  const session = useSession();
  const destinations = useResource<NoticeDestination[]>(NOTICES, { everyMs: LOOK_MS });
  const present = useResource<PresentNotices>(WRONG_NOW);
  const [isAdding, setIsAdding] = useState(false);
  const [added, setAdded] = useState<NewNoticeDestination>();
  const isOwner = ownersFor(session).length > 0;
  const isSealed = present.data?.sealed === true;
  const onAdded = (destination: NewNoticeDestination) => {
    setIsAdding(false);
    if (destination.secret !== null) setAdded(destination);
    void destinations.reload();
  };
  return (
    <>
      <PageHeader
        title="Notices"
        description="Docent tells people and programs of what needs them, by e-mail, in a chat or by webhook."
        actions={
          isOwner &&
          !isSealed && (
            <Button kind="primary" icon="add" onClick={() => setIsAdding(true)}>
              Add a destination
            </Button>
          )
        }
      />
      <div className="stack-wide">
        {isSealed && <SealedNotice />}
        <Loaded of={destinations} label="Loading where notices go" shape="cards" lines={3}>
          {(list) =>
            list.length === 0 ? (
              !isSealed && <NoDestinations isOwner={isOwner} />
            ) : (
              <Destinations destinations={list} reload={destinations.reload} />
            )
          }
        </Loaded>
        <WrongNowCard present={present} />
      </div>
      {isAdding && <AddDestinationDialog onClose={() => setIsAdding(false)} onAdded={onAdded} />}
      {added && <SecretDialog destination={added} onClose={() => setAdded(undefined)} />}
    </>
  );
}

function NoDestinations({ isOwner }: { isOwner: boolean }) {
  return (
    <Empty
      icon="bell"
      title="Nobody is told of anything"
      text={`${isOwner ? "Add a destination" : "An owner can add a destination"}, and Docent says there when a source fails, golden questions get worse, or more questions go unanswered. Nothing is sent before that.`}
    />
  );
}

interface DestinationsProps {
  destinations: readonly NoticeDestination[];
  reload: () => Promise<void>;
}

function Destinations({ destinations, reload }: DestinationsProps) {
  const session = useSession();
  const focus = useRowFocus<HTMLUListElement>();
  return (
    <ul className="stack" aria-label="Destinations" {...focus}>
      {destinations.map((destination) => (
        <li key={destination.id}>
          <DestinationCard
            destination={destination}
            mayChange={mayChangeDestination(session, destination)}
            reload={reload}
          />
        </li>
      ))}
    </ul>
  );
}

interface SecretDialogProps {
  destination: Pick<NewNoticeDestination, "name" | "secret">;
  onClose: () => void;
}

/** Shows what a webhook's notices are signed with, this once. */
function SecretDialog({ destination: { name, secret }, onClose }: SecretDialogProps) {
  return (
    <ShownOnceDialog
      title={`${name} is added`}
      what="secret"
      label={`Secret of ${name}`}
      text={secret ?? ""}
      onClose={onClose}
    >
      Every notice is signed with it, so that your program can tell that it is Docent’s.
    </ShownOnceDialog>
  );
}

/** What is wrong now, whether or not anybody is told of it. */
function WrongNowCard({ present }: { present: Resource<PresentNotices> }) {
  return (
    <Card
      title="Wrong now"
      description="What a destination would be told of, as it is now."
      actions={
        <Button size="small" icon="refresh" busy={present.isReloading} onClick={() => void present.reload()}>
          Look again
        </Button>
      }
    >
      <Loaded of={present} label="Looking for what is wrong" lines={2}>
        {({ wrong }) =>
          wrong.length === 0 ? (
            <p className="small quiet wrong-now-none">Nothing is wrong.</p>
          ) : (
            <ul className="wrong-now">
              {wrong.map((each) => (
                <li key={`${each.kind} ${each.url} ${each.title} ${each.text}`}>
                  <div className="row-apart">
                    <Title {...each} />
                    <Badge tone="warn">{KIND_WORDS[each.kind].label}</Badge>
                  </div>
                  <p className="small quiet wrong-now-text">{each.text}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Title({ title, url }: Pick<PresentNotices["wrong"][number], "title" | "url">) {
  const place = placeOf(url);
  return place === undefined ? <strong>{title}</strong> : <Link to={place}>{title}</Link>;
}

/** Why nothing is sent, and what to do instead. */
function SealedNotice() {
  return (
    <Notice>
      This server is sealed: it connects to Ollama and its database alone, and sends no notices. What they
      would say stands here. A program inside of your network can fetch it with an admin key that may read, at{" "}
      <code className="wrap-anywhere">{WRONG_NOW}</code>, or with the command <code>docent notices now</code>.
    </Notice>
  );
}
