import { ROLES } from "@docent/people/members/member";
import type { sessionJson } from "@docent/people/members/sign-in";
import { z } from "zod";

// The replies of the operations by which members sign in.

/** A moment, as JSON has it. */
export const moment = z.iso.datetime();

export const roleShape = z.enum(ROLES).meta({ id: "Role" });

/** Who is signed in, and what is open to them: to an owner of the server, every organization. */
export const sessionShape = z.lazy(() =>
  z
    .object({
      member: z
        .object({
          id: z.string(),
          name: z.string(),
          isServerOwner: z.boolean(),
          /** As in the list of members. */
          provider: z.string().nullable(),
        })
        .meta({ id: "SignedInMember" }),
      organizations: z.array(
        z.object({ id: z.string(), name: z.string(), role: roleShape }).meta({ id: "OwnOrganization" }),
      ),
      version: z.string(),
      publicUrl: z.string(),
    })
    .meta({ id: "SignedIn" }),
);
/** Where the browser goes to sign out where it signed in. */
export const signedOutShape = z.lazy(() => z.object({ logoutUrl: z.string() }).meta({ id: "SignedOut" }));
/** `name` is null where it is still to be chosen. */
export const linkShape = z.lazy(() =>
  z
    .object({ purpose: z.enum(["first", "invited", "reset"]), name: z.string().nullable() })
    .meta({ id: "Link" }),
);
const sessionFields = () =>
  z.object({
    id: z.string(),
    isCurrent: z.boolean(),
    address: z.string(),
    agent: z.string(),
    createdAt: moment,
    lastUsedAt: moment,
  }) satisfies z.ZodType<ReturnType<typeof sessionJson>>;
export const sessionsShape = z.lazy(() => z.array(sessionFields().meta({ id: "Session" })));
