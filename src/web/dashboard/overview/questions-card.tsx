import type { Overview } from "../conversations/replies.ts";
import type { Series } from "../kit/chart/chart-data.ts";
import { LineChart } from "../kit/chart/line-chart.tsx";
import { Card } from "../kit/layout/card.tsx";
import { dayPoints } from "./day-points.ts";

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
