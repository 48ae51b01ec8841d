import { useState } from "react";
import { Button } from "../kit/buttons/button.tsx";
import { Empty } from "../kit/feedback/empty.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { ShownOnceDialog } from "../kit/overlay/shown-once-dialog.tsx";
import { useRowFocus } from "../kit/table/use-row-focus.ts";
import {
  type NewNoticeDestination,
  NOTICES,
  type NoticeDestination,
  type PresentNotices,
  WRONG_NOW,
} from "../replies.ts";
import { useSession } from "../session.ts";
import { useResource } from "../use-resource.ts";
import { AddDestinationDialog } from "./add-destination-dialog.tsx";
import { DestinationCard } from "./destination-card.tsx";
import { mayChangeDestination, ownersFor } from "./owners.ts";
import { SealedNotice, WrongNowCard } from "./wrong-now-card.tsx";

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
