import { z } from "zod";

/** The groups of a reader as whom an owner looks at a site. */
export const readerGroups = z.array(z.string().max(200)).max(200).nullish();
