import type { z } from "zod";
import type { offeredModelsShape, siteDefaultsShape } from "../../../http/admin/shapes.ts";

/** What holds where a site's settings do not say. */
export type SiteDefaults = z.output<typeof siteDefaultsShape>;

/** The chat models that a site may choose. */
export type OfferedModels = z.output<typeof offeredModelsShape>;
