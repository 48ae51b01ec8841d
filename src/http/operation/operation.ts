import type { z } from "zod";
import type { ErrorCode } from "../../errors.ts";

/**
 * What opens an operation: a key; a member's session; either an admin key or a session, for `admin`; an assistant key
 * where the site is not public, for `public`.
 */
export type KeyKind = "assistant" | "public" | "admin" | "session" | "none";

/** What an operation answers with where all is well. */
export interface ApiReply {
  description: string;
  /** JSON unless it is said. */
  contentType?: string;
  /** What it may be instead, where it is asked for. */
  otherTypes?: readonly string[];
  schema?: z.ZodType;
  example?: unknown;
}

/** One operation, as the documentation of the API shows it. */
export interface ApiOperation {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** With its parameters in braces. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  key: KeyKind;
  /** The same is below `/discovery`, for clients that have that prefix. */
  hasPrefix?: boolean;
  deprecated?: boolean;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Without a body, it does as with an empty one. */
  bodyOptional?: boolean;
  /** Its body is a file, as it is. */
  takesFile?: boolean;
  example?: unknown;
  replies: Record<number, ApiReply>;
  errors: readonly ErrorCode[];
  /** Its errors are written as OpenAI's API writes them. */
  openaiErrors?: boolean;
}
