import { useState } from "react";
import { useApi } from "../../api.ts";
import { Button, IconButton } from "../../kit/buttons/button.tsx";
import { Empty } from "../../kit/feedback/empty.tsx";
import { Loaded } from "../../kit/feedback/loaded.tsx";
import { Switch } from "../../kit/form/switch.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { useConfirm } from "../../kit/overlay/confirm.tsx";
import { useToast } from "../../kit/overlay/toast.tsx";
import { actionsColumn, type Column, Table } from "../../kit/table/table.tsx";
import { Badge } from "../../kit/text/badge.tsx";
import {
  type AskedGoldenQuestion,
  type GoldenCheck,
  type GoldenQuestion,
  type GoldenStanding,
  siteOperations,
} from "../../replies.ts";
import type { SiteView } from "../../site-view.ts";
import { useAttempt } from "../../use-attempt.ts";
import { useResource } from "../../use-resource.ts";
import { useSites } from "../../use-sites.tsx";
import { ContentHeader } from "../content-header.tsx";
import { AddQuestions } from "./add-question.tsx";
import { Checks } from "./checks.tsx";
import { placeWords, shownPath } from "./golden-words.ts";

const LOOK_MS = 10_000;

/** Questions that readers should find an answer for, and what runs made of them. */
export function GoldenPage({ site }: { site: SiteView }) {
  const path = `${siteOperations(site.domain)}/golden`;
  const questions = useResource<GoldenQuestion[]>(`${path}/questions`);
  const checks = useResource<GoldenCheck[]>(`${path}/checks`, { everyMs: LOOK_MS });
  const reload = () => void questions.reload();
  return (
    <div className="stack-wide">
      <ContentHeader
        site={site}
        view="golden"
        actions={site.mayChange && <AddQuestions site={site} onAdded={reload} />}
      />
      <p className="quiet">
        Each run of a source is asked these questions before readers see what it changes. What gets worse is
        shown here, with why.
      </p>
      <RequireSwitch site={site} />
      {checks.state === "ready" && <Checks site={site} checks={checks.data} />}
      <Loaded of={questions} shape="rows" label="Reading the questions">
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon="chart"
              title="No golden questions yet"
              text="Add the questions that your docs must always answer, with the pages that answer them."
            />
          ) : (
            <Questions site={site} path={path} questions={list} reload={reload} />
          )
        }
      </Loaded>
    </div>
  );
}

/** Whether a run is published by which questions get worse. */
function RequireSwitch({ site }: { site: SiteView }) {
  const api = useApi();
  const attempt = useAttempt();
  const sites = useSites();
  const set = (isRequired: boolean) =>
    attempt(async () => {
      const goldenQuestions = isRequired ? "require" : "show";
      await api.patch(siteOperations(site.domain), { settings: { goldenQuestions } });
      await sites.reload();
    });
  return (
    <Switch
      label="Keep a run from readers if a question gets worse"
      hint="Readers go on with what they see. What was read waits until nothing gets worse, or somebody publishes it."
      checked={site.settings.goldenQuestions === "require"}
      disabled={!site.mayChange}
      onChange={(isRequired) => void set(isRequired)}
    />
  );
}

interface QuestionsProps {
  site: SiteView;
  path: string;
  questions: readonly GoldenQuestion[];
  reload: () => void;
}

function Questions({ site, path, questions, reload }: QuestionsProps) {
  const api = useApi();
  const attempt = useAttempt();
  const [standings, setStandings] = useState<ReadonlyMap<string, GoldenStanding | null>>();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useRemove(path, reload);
  const ask = async () => {
    setIsAsking(true);
    const asked = await attempt(() => api.post<AskedGoldenQuestion[]>(`${path}/run`, {}));
    setIsAsking(false);
    if (asked) setStandings(new Map(asked.map(({ id, standing }) => [id, standing])));
  };
  return (
    <Card
      title="Questions"
      actions={
        site.mayChange && (
          <Button size="small" busy={isAsking} onClick={() => void ask()}>
            Ask them now
          </Button>
        )
      }
    >
      <Table
        label="Golden questions"
        rows={questions}
        columns={[
          ...COLUMNS,
          ...(standings === undefined ? [] : [standingColumn(standings)]),
          ...(site.mayChange ? [removeColumn(remove)] : []),
        ]}
        keyOf={({ id }) => id}
      />
    </Card>
  );
}

const ORIGINS: Readonly<Record<GoldenQuestion["origin"], string>> = {
  hand: "By hand",
  file: "A file",
  evaluation: "Evaluation set",
  liked: "A liked answer",
  curated: "A curated answer",
};

const COLUMNS: readonly Column<GoldenQuestion>[] = [
  { title: "Question", cell: ({ question }) => question },
  {
    title: "Pages",
    cell: ({ expected }) => (
      <span className="mono small wrap-anywhere">{expected.map(shownPath).join(", ")}</span>
    ),
  },
  {
    title: "For",
    isNarrow: true,
    cell: ({ version, language, groups }) =>
      [version, language, groups?.join(", ") ?? ""].filter((each) => each !== "").join(", "),
  },
  { title: "From", isNarrow: true, cell: ({ origin }) => ORIGINS[origin] },
];

const standingColumn = (standings: ReadonlyMap<string, GoldenStanding | null>): Column<GoldenQuestion> => ({
  title: "Now",
  isNarrow: true,
  cell({ id }) {
    const standing = standings.get(id);
    if (!standing) return "–";
    return <Badge tone={standing.rank === null ? "warn" : "good"}>{placeWords(standing)}</Badge>;
  },
});

const removeColumn = (remove: (question: GoldenQuestion) => void) =>
  actionsColumn<GoldenQuestion>((question) => (
    <IconButton
      icon="trash"
      size="small"
      label={`Remove “${question.question}”`}
      onClick={() => remove(question)}
    />
  ));

function useRemove(path: string, onRemoved: () => void): (question: GoldenQuestion) => void {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  const remove = async ({ id, question }: GoldenQuestion) => {
    const isAgreed = await confirm({
      title: "Remove this question?",
      text: <q>{question}</q>,
      action: "Remove it",
    });
    if (!isAgreed) return;
    await attempt(async () => {
      await api.delete(`${path}/questions/${encodeURIComponent(id)}`);
      toast("The question was removed.");
      onRemoved();
    });
  };
  return (question) => void remove(question);
}
