import { z } from "zod";
import { HTTP_ERROR_CODES } from "./errors.ts";

/** What every error says. */
export const errorShape = z.lazy(() =>
  z
    .object({
      error: z.string(),
      message: z.string(),
      code: z.enum(HTTP_ERROR_CODES).meta({ id: "ErrorCode" }),
      requestId: z.string(),
      details: z.array(z.object({ path: z.string(), message: z.string() }).meta({ id: "Fault" })).optional(),
    })
    .meta({ id: "Error" }),
);

/** What an error says where OpenAI's protocol is spoken. */
export const openaiErrorShape = z.lazy(() =>
  z
    .object({
      error: z
        .object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() })
        .meta({ id: "OpenaiErrorBody" }),
    })
    .meta({ id: "OpenaiError" }),
);
