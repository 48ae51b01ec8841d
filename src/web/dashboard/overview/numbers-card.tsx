import { Stat } from "../kit/chart/stat.tsx";
import { Card } from "../kit/layout/card.tsx";
import type { Overview, OverviewNumbers } from "../replies.ts";
import { countWords, readerWords, type Share, shareWords, waitWords } from "./number-words.ts";

/** The numbers that matter most, each beside the period before. */
export function NumbersCard({ overview, days }: { overview: Overview; days: number }) {
  const { numbers: now, numbersBefore: before } = overview;
  const stats = [
    { label: "Questions", ...countWords(now.questions, before.questions) },
    { label: "Got an answer", ...shareWords(answered(now), answered(before), "question", "questions") },
    { label: "Found helpful", ...shareWords(rated(now), rated(before), "rating", "ratings") },
    { label: "Until the first words", ...waitWords(now.waits.firstToken, before.waits.firstToken) },
    { label: "Readers", ...readerWords(now, before) },
    { label: "Searches", ...countWords(now.searches, before.searches) },
  ];
  return (
    <Card>
      <section className="overview-figures" aria-label={`The last ${days} days, and the ${days} before`}>
        <div className="overview-numbers">
          {stats.map(({ label, value, change, note }) => (
            <Stat key={label} label={label} value={value} change={change} note={note} />
          ))}
        </div>
      </section>
    </Card>
  );
}

/** Questions without those that their reader stopped: how those would have ended, nobody knows. */
function answered({ answeredShare, outcomes }: OverviewNumbers): Share {
  const { answered, quoted, touched, curated, unanswered, failed } = outcomes;
  return { share: answeredShare, of: answered + quoted + touched + curated + unanswered + failed };
}

const rated = ({ ratings }: OverviewNumbers): Share => ({ share: ratings.share, of: ratings.rated });
