import type { Clock } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import type { Audit } from "@docent/people/audit/audit";
import {
  type Provider,
  PURPOSES,
  type Purpose,
  type ReaderSessions,
  type Vouchers,
} from "@docent/people/identity/identity";
import type { Arrivals, Member } from "@docent/people/members/sign-in";
import type { SessionDoor } from "../session/guard.ts";

/** The settings it reads, under their own names. */
interface SignInSettings {
  passwords: "on" | "emergency";
  provider_session_seconds: number;
}

/** The parts of Docent that signing in with a provider uses. */
export interface SignInOptions {
  settings: SignInSettings;
  door: SessionDoor;
  vouchers: Vouchers;
  /** Makes members of those who come, and keeps in the audit log what that changed. */
  arrivals: Arrivals;
  /** Undefined where nobody signs in to read. */
  readers: ReaderSessions | undefined;
  audit: Pick<Audit, "record">;
  /** Told of somebody who could not sign in, and who it was if that is known. */
  noteFailure(member: Member | undefined): void;
  basePath: string;
  clock: Clock;
  log: Log;
}

/** What a provider is for here. */
export const purposesOf = ({ members, readers }: Provider, readerSessions: unknown): Purpose[] =>
  PURPOSES.filter((each) =>
    each === "member" ? members !== undefined : readers && readerSessions !== undefined,
  );
