/** Every way in which Docent can say no. Each door has one table from these codes to its own language. */
export const ERROR_CODES = [
  "invalid_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "conflict",
  "too_large",
  "unsupported_media_type",
  "rate_limited",
  "unavailable",
  "model_failed",
  "internal",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** One fault in what was sent: where it is, and what is wrong there. */
export interface FaultDetail {
  path: string;
  message: string;
}

interface AppErrorOptions {
  /** What the person who operates the server can do about it; shown by the CLI, never to a reader. */
  hint?: string;
  /** What really happened; for the log alone. */
  cause?: unknown;
  details?: FaultDetail[];
  retryAfterSeconds?: number;
  /** Nothing can be stored at the moment; this failure does not say that nothing can be read. */
  cannotStore?: boolean;
}

/** An error whose message may be shown to whoever caused it. Anything else that is thrown is a fault of ours. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: FaultDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly cannotStore: boolean;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.cannotStore = options.cannotStore ?? false;
  }
}

/** The error itself if it is one of ours, else an `internal` one that hides the unknown behind a safe sentence. */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError("internal", "Internal error", { cause: error });
}

/** Whether something failed because nothing can be stored: on a full disk, or on one that may only be read. */
export const isUnstorable = (error: unknown): error is AppError =>
  error instanceof AppError && error.cannotStore;
