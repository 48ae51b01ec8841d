import { type Clock, MINUTE_MS, SECOND_MS } from "@docent/kernel/lib/clock";
import { isSameSecret } from "@docent/kernel/lib/secrets";
import { isShownToAnyone, type Site, wantsSignIn } from "@docent/sites/site/sites";

interface ReaderLinkOptions {
  /** The settings it reads, under their own names. */
  settings: { reader_link_seconds: number };
  secret: string;
  clock: Clock;
}

/** The page that a link names. Without a version or a language it is the site's default one. */
interface LinkedPage {
  path: string;
  /** Whom it is for; empty: everyone who may read the site. */
  groups: readonly string[];
  version?: string | undefined;
  language?: string | undefined;
}

/**
 * Makes and checks the signatures that open one page of a site that is not public. A page for groups is opened by none: who
 * is in a group may have left it by then.
 */
export interface ReaderLinks {
  /** How long a link works at least. */
  lifetimeMs: number;
  /**
   * The query that opens this page, signed where nothing but the link opens it. A link from one page to another ends when the
   * first one's does (`until`), so that one link does not open a site for ever.
   */
  query(site: Site, page: LinkedPage, until?: number): string;
  /** The query that opens a file of a page: browsers ask for those as if nobody had signed in. */
  fileQuery(site: Site, file: Pick<LinkedPage, "path" | "groups">, until?: number): string;
  /** Whether a query is one that was signed for this page, and has not ended. */
  allows(site: Site, page: Omit<LinkedPage, "groups">, query: URLSearchParams): boolean;
  /** Whether an address opens a page by a signature. */
  isSigned(url: string): boolean;
  /** Changes with the secret: links of another identity are not allowed. Does not tell the secret. */
  identity: string;
}

/** How long at least a file is open that is for some alone; at most it is twice as long. */
const SOON_MS = 30 * MINUTE_MS;

/** The parameter of an address that holds a signature. */
const SIGNATURE = "signature";

export function createReaderLinks({ settings, secret, clock }: ReaderLinkOptions): ReaderLinks {
  const lifetimeMs = settings.reader_link_seconds * SECOND_MS;

  function sign(
    { id }: Site,
    { path, version = "", language = "" }: Omit<LinkedPage, "groups">,
    until: number,
  ): string {
    const signed = JSON.stringify([id, path, version, language, until]);
    return new Bun.CryptoHasher("sha256", secret).update(signed).digest("base64url");
  }

  /** Rounded up, so that a page has the same address for a while, and browsers know it again. */
  const freshUntil = () => Math.ceil((clock() + lifetimeMs) / (lifetimeMs / 8)) * (lifetimeMs / 8);

  function signed(site: Site, page: LinkedPage, until: number): URLSearchParams {
    return new URLSearchParams({ until: String(until), [SIGNATURE]: sign(site, page, until) });
  }

  return {
    lifetimeMs,
    identity: new Bun.CryptoHasher("sha256", secret).update("identity").digest("base64url"),
    query(site, page, until = freshUntil()) {
      const query = new URLSearchParams();
      if (page.version) query.set("version", page.version);
      if (page.language) query.set("language", page.language);
      // Whoever follows a link to a page that is for some alone shows who they are: the link by itself opens nothing.
      const isForSome = wantsSignIn(site) || page.groups.length > 0;
      const added = isShownToAnyone(site) || isForSome ? [] : signed(site, page, until);
      const whole = new URLSearchParams([...query, ...added]);
      return whole.size === 0 ? "" : `?${whole}`;
    },
    fileQuery(site, file, until) {
      if (isShownToAnyone(site) && file.groups.length === 0) return "";
      const isForSome = wantsSignIn(site) || file.groups.length > 0;
      // Whoever was shown the page has seen them by then.
      const soon = Math.ceil((clock() + SOON_MS) / SOON_MS) * SOON_MS;
      return `?${signed(site, file, isForSome ? soon : (until ?? freshUntil()))}`;
    },
    allows(site, page, query) {
      const until = Number(query.get("until"));
      if (!Number.isSafeInteger(until) || until < clock()) return false;
      return isSameSecret(query.get(SIGNATURE) ?? "", sign(site, page, until));
    },
    isSigned: (url) => URL.parse(url)?.searchParams.has(SIGNATURE) ?? false,
  };
}
