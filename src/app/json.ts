import { gapJson } from "../analytics/gaps-json.ts";
import { answerJson } from "../curated/answer-json.ts";
import { generationJson, ledgerEntryJson, runJson, sourceJson } from "../ingest/source-json.ts";
import { adminKeyJson, assistantKeyJson } from "../keys/key-json.ts";
import { memberJson } from "../members/member-json.ts";
import { siteJson } from "../sites/site-json.ts";

/** How things are shown as JSON: by `--json` of the CLI as by the admin API. */
export const JSON_SHAPES = {
  ...{ site: siteJson, source: sourceJson, run: runJson, ledgerEntry: ledgerEntryJson },
  ...{ generation: generationJson, answer: answerJson, gap: gapJson },
  ...{ assistantKey: assistantKeyJson, adminKey: adminKeyJson, member: memberJson },
};
