import { useState } from "react";
import type { Turn } from "../../conversation/state.ts";
import { Card } from "../kit/layout/card.tsx";
import { Tabs } from "../kit/layout/tabs.tsx";
import { PassagesList } from "./passages-list.tsx";
import { StreamList } from "./stream-list.tsx";
import type { StreamGroup } from "./stream-log.ts";

interface InspectorProps {
  turn: Turn;
  stream: readonly StreamGroup[];
  siteUrl: string | null;
}

/** What is behind an answer: the passages that it was written from, and the stream that brought it. */
export function Inspector({ turn, stream, siteUrl }: InspectorProps) {
  const [view, setView] = useState<"passages" | "stream">("passages");
  const parts = stream.reduce((sum, group) => sum + group.parts.length, 0);
  return (
    <Card title="Inside" description={turn.question}>
      <Tabs
        label="What is behind the answer"
        tabs={[
          { name: "passages", label: "Passages", count: turn.results.length },
          { name: "stream", label: "Stream", count: parts },
        ]}
        current={view}
        onChange={setView}
      >
        {view === "passages" ? (
          <PassagesList turn={turn} siteUrl={siteUrl} />
        ) : (
          <StreamList groups={stream} />
        )}
      </Tabs>
    </Card>
  );
}
