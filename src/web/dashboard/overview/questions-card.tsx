import type { Overview } from "../conversations/replies.ts";
import { Card } from "../kit/card.tsx";
import type { Series } from "../kit/chart-data.ts";
import { LineChart } from "../kit/line-chart.tsx";
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
