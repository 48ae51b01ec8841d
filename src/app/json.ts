import { z } from "zod";
import { gapJson } from "../analytics/gaps/json.ts";
import { answerJson } from "../curated/curated.ts";
import {
  adminKeyShape,
  answerShape,
  assistantKeyShape,
  generationShape,
  ledgerEntryShape,
  memberLinkShape,
  memberShape,
  newAdminKeyShape,
  organizationShape,
  removedShape,
  rollbackShape,
  runShape,
  siteShape,
  sourceShape,
} from "../http/admin/shapes.ts";
import { conversationShape, gapShape } from "../http/analytics/shapes.ts";
import { generationJson, ledgerEntryJson, runJson, sourceJson } from "../ingest/json.ts";
import { adminKeyJson, assistantKeyJson } from "../keys/json.ts";
import { memberJson } from "../members/json.ts";
import { organizationJson, siteJson } from "../sites/json.ts";

/** How things are shown as JSON: by `--json` of the CLI as by the admin API. */
export const JSON_SHAPES = {
  organization: organizationJson,
  site: siteJson,
  source: sourceJson,
  run: runJson,
  ledgerEntry: ledgerEntryJson,
  generation: generationJson,
  answer: answerJson,
  gap: gapJson,
  assistantKey: assistantKeyJson,
  adminKey: adminKeyJson,
  member: memberJson,
};

/** What that JSON is, as the description of the API has it. `listedSite` has its counts too. */
export const JSON_SCHEMAS = {
  organization: organizationShape,
  listedSite: siteShape,
  source: sourceShape,
  run: runShape,
  site: z.lazy(() => siteShape.unwrap().omit({ pages: true, passages: true })),
  ledgerEntry: ledgerEntryShape,
  generation: generationShape,
  rollback: rollbackShape,
  answer: answerShape,
  gap: gapShape,
  conversation: conversationShape,
  removed: removedShape,
  assistantKey: assistantKeyShape,
  adminKey: adminKeyShape,
  newAdminKey: newAdminKeyShape,
  member: memberShape,
  memberLink: memberLinkShape,
};
