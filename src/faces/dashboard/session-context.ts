import type { sessionShape, signedOutShape } from "@docent/doors/session/shapes";
import { createContext, useContext } from "react";
import type { z } from "zod";

/** Who is signed in, and what they see. */
export type Session = z.output<typeof sessionShape>;

/** Where one signs out besides. */
export type SignedOut = z.output<typeof signedOutShape>;

/** What a member may do in an organization. */
export type Role = Session["organizations"][number]["role"];

/** What the app knows of who is signed in, and how that changes. */
export interface SessionState {
  session: Session;
  /** Reads it anew: roles and organizations may have changed. */
  reload(): Promise<void>;
  signOut(): Promise<void>;
}

/** The context in which the app hands out who is signed in. */
export const SessionContext = createContext<SessionState | undefined>(undefined);

/** Who is signed in. Only pages that need no one are shown without. */
export function useSession(): Session {
  return useSessionState().session;
}

/** Who is signed in, with what changes it. */
export function useSessionState(): SessionState {
  const state = useContext(SessionContext);
  if (!state) throw new Error("useSession is used where nobody is signed in");
  return state;
}

/** Whether a member may change what belongs to an organization. */
export const mayChange = ({ member, organizations }: Session, organizationId: string): boolean =>
  member.isServerOwner || organizations.some(({ id, role }) => id === organizationId && role === "owner");
