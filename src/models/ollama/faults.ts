import { AppError } from "@docent/kernel/errors";

export type FaultKind =
  /** The connection was refused or reset, or the name does not resolve. */
  | "unreachable"
  | "connect_timeout"
  | "first_byte_timeout"
  | "idle_timeout"
  /** The HTTP status is not 200. */
  | "status"
  /** `{"error":…}` came inside a stream with status 200. */
  | "error_line"
  /** The stream ended without a final line. */
  | "incomplete"
  /** The reply is not what Ollama sends. */
  | "protocol"
  | "too_large";

/** Too many requests at once, or a proxy that cannot reach Ollama. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

interface FaultOptions {
  status?: number;
  /** Whether the body was Ollama's JSON, so that Ollama itself answered. */
  fromOllama?: boolean;
  cause?: unknown;
}

/** A failure between Docent and Ollama, in Ollama's own words: for the log only. */
export class OllamaFault extends Error {
  readonly kind: FaultKind;
  readonly status: number | undefined;
  readonly fromOllama: boolean;

  constructor(kind: FaultKind, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "OllamaFault";
    this.kind = kind;
    this.status = options.status;
    this.fromOllama = options.fromOllama ?? false;
  }
}

interface FaultContext {
  baseUrl: string;
  model?: string | undefined;
  /** Whether words of the answer have already left, so that another responder can no longer take over. */
  emitted?: boolean;
}

/** The error that the rest of Docent sees: safe sentences for the reader, a remedy for the operator. */
export function faultToAppError(error: unknown, context: FaultContext): AppError {
  if (error instanceof AppError) return error;
  const hint = error instanceof OllamaFault ? hintFor(error, context) : undefined;
  const options = { cause: error, ...(hint === undefined ? {} : { hint }) };
  if (context.emitted === true) {
    return new AppError(
      "model_failed",
      "The model broke off before the answer was complete. Ask again.",
      options,
    );
  }
  if (isBusy(error)) {
    const retryAfterSeconds = 5;
    return new AppError("unavailable", "The model is busy. Try again in a moment.", {
      ...options,
      retryAfterSeconds,
    });
  }
  return new AppError("unavailable", "The model is not available now. Try again later.", options);
}

/** How often a chat may be sent, given its failure. Never again where it would only be refused again. */
export function attemptsAllowed(error: unknown, attempts: number): number {
  if (!(error instanceof OllamaFault)) return 1;
  if (error.kind === "unreachable") return attempts;
  if (error.kind !== "status" || error.status === undefined) return 1;
  if (PASSING_STATUSES.has(error.status)) return attempts;
  // Ollama sends 500 for almost everything: an interrupted load, but also an option of the wrong type.
  return error.status >= 500 ? Math.min(2, attempts) : 1;
}

/** Whether the same request may succeed in a moment: Ollama is busy, or just starting. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof OllamaFault)) return false;
  if (error.kind === "status") return error.status !== undefined && PASSING_STATUSES.has(error.status);
  return error.kind === "unreachable" || error.kind === "incomplete";
}

/** The Ollama fault behind an error, if there is one. */
export function faultOf(error: unknown): OllamaFault | undefined {
  const fault = error instanceof AppError ? error.cause : error;
  return fault instanceof OllamaFault ? fault : undefined;
}

/** Whether the server is at fault and should rest, not just the one request that it refused. */
export function isOfTheServer(fault: OllamaFault | undefined): boolean {
  if (fault === undefined) return false;
  const { kind, status = 0, fromOllama } = fault;
  if (kind === "too_large") return false;
  // 404 means that the server listed the model but does not have it.
  return kind !== "status" || !fromOllama || status === 404 || status === 429 || status >= 500;
}

function isBusy(error: unknown): boolean {
  return error instanceof OllamaFault && (error.status === 503 || error.status === 429);
}

function hintFor(fault: OllamaFault, { baseUrl, model }: FaultContext): string {
  switch (fault.kind) {
    case "unreachable":
    case "connect_timeout":
      return "run: ollama serve, or set OLLAMA_HOST to where it runs";
    case "first_byte_timeout":
      return "the model did not write a first word in time; raise first_byte_seconds, or take a smaller model";
    case "idle_timeout":
      return "the model stopped writing; raise idle_seconds, or look at Ollama's log";
    case "protocol":
    case "too_large":
      return `what answers at ${baseUrl} does not speak like Ollama; check OLLAMA_HOST and any proxy between`;
    case "error_line":
    case "incomplete":
      return "look at Ollama's log";
    case "status":
      return statusHint(fault, baseUrl, model);
  }
}

function statusHint(fault: OllamaFault, baseUrl: string, model: string | undefined): string {
  const { status = 0, fromOllama } = fault;
  if (status === 404 && fromOllama && model !== undefined) return `run: ollama pull ${model}`;
  if (status === 403 && !fromOllama)
    return "Ollama refused the host or origin; set OLLAMA_ORIGINS, or check the proxy between";
  if (status === 503 || status === 429) return "Ollama's own queue is full; raise OLLAMA_MAX_QUEUE";
  if (fromOllama && status >= 500)
    return "Ollama could not run the model; look at Ollama's log, and at free memory";
  if (fromOllama)
    return `Ollama refused the request with status ${status}; look at Docent's log, and update Ollama`;
  return `what answers at ${baseUrl} is not Ollama (status ${status}); check OLLAMA_HOST and any proxy between`;
}
