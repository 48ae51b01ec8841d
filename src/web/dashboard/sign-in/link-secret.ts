/** The secret of a one-time link, which stands behind the `#`: there it is never sent by itself. */
export function linkSecret(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("link") || undefined;
}
