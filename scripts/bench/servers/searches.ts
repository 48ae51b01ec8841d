import type { Asked } from "../connection.ts";
import { post, UNHINDERED } from "../site.ts";

/** Settings under which every request is counted for the limits, and none is refused. */
export const COUNTED = {
  ...UNHINDERED,
  organization_searches_per_hour: "1000000000",
  address_lookups_per_minute: "0",
};

/** A search of a server's site, over HTTP. */
export const searchFor = (url: string, key: string, query: string): Asked => ({
  ...post(url, key, { query }),
  url: `${url}/v1/search/bench`,
});
