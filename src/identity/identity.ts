/** Somebody, as a provider, a proxy or a site's own token knows them. */
export interface Identity {
  /** Who vouches for them. With `subject` it tells them from everybody else. */
  issuer: string;
  subject: string;
  /** What they are called; undefined where nobody says. */
  name: string | undefined;
  groups: readonly string[];
}
