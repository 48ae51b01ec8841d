import { z } from "zod";
import {
  adminKeyShape,
  answerShape,
  assistantKeyShape,
  auditEntryShape,
  enrichmentShape,
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

/** The shapes that `--json` of the CLI prints, which are those of the API. `listedSite` adds the counts. */
export const JSON_SCHEMAS = {
  organization: organizationShape,
  listedSite: siteShape,
  source: sourceShape,
  run: runShape,
  site: z.lazy(() => siteShape.unwrap().omit({ pages: true, passages: true })),
  ledgerEntry: ledgerEntryShape,
  enrichment: enrichmentShape,
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
  auditEntry: auditEntryShape,
};
