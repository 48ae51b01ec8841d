import type { ReaderSession } from "@docent/people/readers/stores";
import type { RowOf } from "../rows/fields.ts";
import { readStrings } from "../rows/json.ts";

/** A reader's session, with whom the provider vouched for. */
export interface ReaderSessionRow extends RowOf<Omit<ReaderSession, "identity">> {
  issuer: string;
  subject: string;
  name: string | null;
  groupsJson: string;
}

export const toReaderSession = ({
  issuer,
  subject,
  name,
  groupsJson,
  sid,
  ...row
}: ReaderSessionRow): ReaderSession => ({
  ...row,
  sid: sid ?? undefined,
  identity: { issuer, subject, name: name ?? undefined, groups: readStrings(groupsJson) },
});

export const fromReaderSession = ({ identity, sid, ...session }: ReaderSession): ReaderSessionRow => ({
  ...session,
  sid: sid ?? null,
  issuer: identity.issuer,
  subject: identity.subject,
  name: identity.name ?? null,
  groupsJson: JSON.stringify(identity.groups),
});
