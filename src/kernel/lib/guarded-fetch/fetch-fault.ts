const FETCH_FAULT_KINDS = [
  /** The source does not name the host. */
  "outside",
  /** The address or its scheme is forbidden. */
  "refused",
  /** The connection failed or broke, or the name does not resolve. */
  "unreachable",
  "timeout",
  "too_large",
  /** The certificate is not trusted for this name. */
  "tls",
  /** The reply is not HTTP, or its redirect leads nowhere. */
  "protocol",
] as const;
export type FetchFaultKind = (typeof FETCH_FAULT_KINDS)[number];

/** Why a fetch failed. The message is a sentence for people, with a remedy where there is one. */
export class FetchFault extends Error {
  readonly kind: FetchFaultKind;

  constructor(kind: FetchFaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "FetchFault";
    this.kind = kind;
  }
}
