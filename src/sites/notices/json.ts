import { isoTime } from "@docent/kernel/lib/iso-time";
import type { ShownDestination } from "./notices.ts";

/** A destination as the admin API and the CLI show it: without what it is signed with, and of a chat without its address. */
export function noticeDestinationJson({
  id,
  organizationId,
  name,
  channel,
  address,
  kinds,
  createdAt,
  waiting,
  givenUp,
  last,
  fault,
}: ShownDestination) {
  return {
    id,
    organizationId: organizationId ?? null,
    name,
    channel,
    leadsTo: channel === "mail" ? address : shownAddress(address),
    kinds: [...kinds],
    createdAt: isoTime(createdAt),
    waiting,
    givenUp,
    last: last?.at === undefined ? null : { sent: last.isSent, says: last.says ?? "", at: isoTime(last.at) },
    fault: fault ?? null,
  };
}

/** Whoever knows the path of a webhook may write there. */
function shownAddress(address: string): string {
  return URL.canParse(address) ? `${new URL(address).origin}/…` : "…";
}
