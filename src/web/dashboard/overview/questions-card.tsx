import type { ChartPoint, Series } from "../kit/chart/chart-data.ts";
import { LineChart } from "../kit/chart/line-chart.tsx";
import { Card } from "../kit/layout/card.tsx";
import type { Overview } from "../replies.ts";

const SERIES: readonly Series[] = [
  { name: "questions", label: "Questions", tone: "accent" },
  { name: "unanswered", label: "Without an answer", tone: "warn" },
];

/** Questions over time, and how many of them came to nothing. */
export function QuestionsCard({ overview: { days, numbers } }: { overview: Overview }) {
  return (
    <Card title="Questions by day">
      {numbers.questions === 0 ? (
        <p className="quiet">Nothing was asked in this time.</p>
      ) : (
        <LineChart label="Questions by day" series={SERIES} points={dayPoints(days)} />
      )}
    </Card>
  );
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Days as a chart shows them: all questions, and those without an answer. */
const dayPoints = (days: Overview["days"]): ChartPoint[] =>
  days.map(({ date, questions, outcomes }) => ({
    label: DAY.format(new Date(`${date}T00:00:00Z`)),
    values: { questions, unanswered: outcomes.unanswered + outcomes.touched + outcomes.failed },
  }));
