import type { z } from "zod";
import type { answerShape } from "../../../http/admin/shapes.ts";

/** A curated answer, with what should be looked at in it. */
export type Answer = z.output<typeof answerShape>;
