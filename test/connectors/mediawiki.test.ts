import { describeConnector } from "../contract/connector.ts";
import { startMediaWiki } from "./servers/mediawiki.ts";

describeConnector("mediawiki", async () => startMediaWiki());
