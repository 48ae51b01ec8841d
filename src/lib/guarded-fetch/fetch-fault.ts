const FETCH_FAULT_KINDS = [
  /** The host is not one that the source names. */
  "outside",
  /** The address or its scheme may not be reached. */
  "refused",
  /** No connection, one that broke, or a name that does not resolve. */
  "unreachable",
  "timeout",
  "too_large",
  /** The certificate is not one that is trusted for this name. */
  "tls",
  /** What came is not HTTP, or a redirect that leads nowhere. */
  "protocol",
] as const;
export type FetchFaultKind = (typeof FETCH_FAULT_KINDS)[number];

/** Why something could not be fetched. The message is a sentence for people and says what to do where there is something. */
export class FetchFault extends Error {
  readonly kind: FetchFaultKind;

  constructor(kind: FetchFaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "FetchFault";
    this.kind = kind;
  }
}
