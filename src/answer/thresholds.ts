import type { Site } from "../sites/sites.ts";

/** From which relevance of the best passage on a site's docs cover a question. */
export const relevanceMinOf = ({ settings }: Pick<Site, "settings">, ofServer: number) =>
  settings.relevanceMin ?? ofServer;
