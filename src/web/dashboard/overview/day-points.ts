import type { Overview } from "../conversations/replies.ts";
import type { ChartPoint } from "../kit/chart/chart-data.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Days as a chart shows them: all questions, and those without an answer. */
export const dayPoints = (days: Overview["days"]): ChartPoint[] =>
  days.map(({ date, questions, outcomes }) => ({
    label: DAY.format(new Date(`${date}T00:00:00Z`)),
    values: { questions, unanswered: outcomes.unanswered + outcomes.failed },
  }));
