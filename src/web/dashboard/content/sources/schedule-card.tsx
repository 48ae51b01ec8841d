import { Card } from "../../kit/layout/card.tsx";
import { Time } from "../../kit/text/time.tsx";
import type { Source } from "../../replies.ts";
import { SCHEDULES, scheduleWords } from "../../runs/run-words.ts";
import { ScheduleField } from "../add-source/source-fields.tsx";

/** How often a source is read by itself. */
export function ScheduleCard({
  source,
  schedule,
}: {
  source: Source;
  schedule: (everyMs: number | null) => void;
}) {
  const { everyMs, nextRunAt } = source;
  const isOwn = !SCHEDULES.some((each) => each.everyMs === everyMs);
  return (
    <Card title="Schedule">
      <div className="stack">
        {isOwn && <p className="quiet">Now: {scheduleWords(everyMs)}, as the command line set it.</p>}
        <ScheduleField everyMs={everyMs} onChange={schedule} />
        {nextRunAt && (
          <p className="quiet small">
            Next <Time at={nextRunAt} />
          </p>
        )}
      </div>
    </Card>
  );
}
