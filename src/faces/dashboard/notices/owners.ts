import type { Option } from "../kit/form/select.tsx";
import type { NoticeDestination } from "../replies.ts";
import { mayChange, type Session } from "../session-context.ts";

/** Stands for the server among the ids of organizations, which are never empty. */
export const SERVER = "";

type Owned = Pick<NoticeDestination, "organizationId">;

/** For whom somebody may add destinations: the server, if it is theirs, and organizations. */
export const ownersFor = (session: Session): Option[] => [
  ...(session.member.isServerOwner ? [{ value: SERVER, label: "The whole server" }] : []),
  ...session.organizations
    .filter(({ id }) => mayChange(session, id))
    .map(({ id, name }) => ({ value: id, label: `The sites of ${name}` })),
];

export const mayChangeDestination = (session: Session, { organizationId }: Owned): boolean =>
  organizationId === null ? session.member.isServerOwner : mayChange(session, organizationId);

/** Of what a destination is told, as a name. */
export const ownerName = ({ organizations }: Session, { organizationId }: Owned): string =>
  organizationId === null
    ? "The whole server"
    : `The sites of ${organizations.find(({ id }) => id === organizationId)?.name ?? organizationId}`;
