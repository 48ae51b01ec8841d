import type { z } from "zod";
import type {
  conversationListShape,
  evaluationQuestionShape,
  gapShape,
  gapsShape,
  gapWithQuestionsShape,
  overviewShape,
  turnShape,
} from "../../../http/analytics/shapes.ts";

// What the server tells of what readers asked.

export type Overview = z.output<typeof overviewShape>;
export type OverviewNumbers = Overview["numbers"];
export type ConversationList = z.output<typeof conversationListShape>;
export type ListedTurn = ConversationList["conversations"][number];
export type Turn = z.output<typeof turnShape>;
export type TurnPassage = Turn["passages"][number];
export type EvaluationQuestion = z.output<typeof evaluationQuestionShape>;
export type Gap = z.output<typeof gapShape>;
export type GapList = z.output<typeof gapsShape>;
export type GapWithQuestions = z.output<typeof gapWithQuestionsShape>;

/** The path of what owners read of a site's readers. */
export const siteAnalytics = (domain: string) => `/v1/analytics/${encodeURIComponent(domain)}`;
