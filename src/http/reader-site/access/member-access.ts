import type { Sessions } from "../../../members/sign-in.ts";
import type { Site } from "../../../sites/sites.ts";
import { cookieValue, type SessionCookie } from "../../session/cookie.ts";
import { memberAdmin } from "../../session/guard.ts";

interface ReaderMembersOptions {
  sessions: Sessions;
  /** The cookie that the dashboard's sign-in gives. */
  cookie: () => SessionCookie;
  publicUrl: () => string;
  basePath: string;
}

/** Lets members of an organization read its sites that are not public. */
export interface ReaderMembers {
  /** The cookie to give with the page, if there is one to give; undefined for everyone who may not read the site. */
  admit(request: Request, site: Site): Promise<{ cookie: string | undefined } | undefined>;
}

const NAME = "docent_reader";

/**
 * The session's cookie comes with what the dashboard links to and no further: to a browser the reader's sandboxed pages
 * are pages of somebody else, and what they link to is asked for without it. So the reader gives the same secret once
 * more, in a cookie that goes with links and for the reader's addresses alone. Nothing but reading is done with it.
 */
export function createReaderMembers(options: ReaderMembersOptions): ReaderMembers {
  const { sessions, cookie, publicUrl, basePath } = options;

  async function mayRead(secret: string | undefined, { organizationId }: Site): Promise<boolean> {
    const signedIn = await sessions.authenticate(secret);
    return signedIn !== undefined && memberAdmin(signedIn.member).sees(organizationId);
  }

  const give = (secret: string) => {
    const secure = URL.parse(publicUrl())?.protocol === "https:" ? "; Secure" : "";
    return `${NAME}=${secret}; Path=${basePath}/sites; HttpOnly; SameSite=Lax${secure}`;
  };

  return {
    async admit(request, site) {
      const own = cookieValue(request, NAME);
      const secret = cookie().read(request);
      if (secret !== undefined && (await mayRead(secret, site)))
        return { cookie: secret === own ? undefined : give(secret) };
      return (await mayRead(own, site)) ? { cookie: undefined } : undefined;
    },
  };
}
