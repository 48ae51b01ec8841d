import { z } from "zod";
import type { JsonOutput } from "../../command.ts";

export const healthJson: JsonOutput = {
  shape: z.object({
    ready: z.boolean(),
    url: z.string(),
    unstored: z.boolean().optional().describe("Questions are answered, and their answers are not stored."),
  }),
};
