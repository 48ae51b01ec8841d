import { ButtonLink } from "../kit/buttons/button.tsx";
import { Empty } from "../kit/feedback/empty.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Notice } from "../kit/feedback/notice.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { type Column, Table } from "../kit/table/table.tsx";
import { Badge } from "../kit/text/badge.tsx";
import { type Answer, siteOperations } from "../replies.ts";
import { Link } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import { answerEditorPath } from "./answer-file.ts";
import "./answers.css";

/** The answers that people wrote, and which of them should be looked at. */
export function AnswersPage({ site }: { site: SiteView }) {
  const answers = useResource<Answer[]>(`${siteOperations(site.domain)}/answers`);
  const add = site.mayChange && (
    <ButtonLink kind="primary" icon="add" to={sitePath(site, "answers", "new")}>
      Write an answer
    </ButtonLink>
  );
  const concerned = answers.data?.filter(({ concerns }) => concerns.length > 0).length ?? 0;
  return (
    <div className="stack-wide">
      <PageHeader
        title="Curated answers"
        of={site.name}
        description="Answers that people wrote. When their question is asked, they are given at once, and no model is asked."
        actions={add}
      />
      <Loaded of={answers} shape="rows" label="Reading the answers" />
      {concerned > 0 && (
        <Notice tone="warn">
          {concerned === 1 ? "One answer" : `${concerned} answers`} should be looked at: a page that it leads
          to has changed, or something else is wrong.
        </Notice>
      )}
      {answers.state === "ready" && answers.data.length > 0 && (
        <Table
          label="Curated answers"
          rows={answers.data.toSorted(byConcern)}
          columns={columnsOf(site)}
          keyOf={({ name, version, language, source }) => [name, version, language, source].join("\0")}
        />
      )}
      {answers.state === "ready" && answers.data.length === 0 && (
        <Empty
          icon="answer"
          title="No curated answers yet"
          text="Some questions come every day. Write a good answer once, here or from a conversation or a gap, or keep them as files in your docs below answers/."
          action={add}
        />
      )}
    </div>
  );
}

const byConcern = (a: Answer, b: Answer) =>
  Number(b.concerns.length > 0) - Number(a.concerns.length > 0) || (a.name < b.name ? -1 : 1);

function columnsOf(site: SiteView): Column<Answer>[] {
  return [
    {
      title: "Answer",
      cell: (answer) => (
        <div className="place">
          <Link to={answerEditorPath(site, answer)}>{answer.questions[0] ?? answer.name}</Link>
          <span className="quiet small mono wrap-anywhere">{answer.name}</span>
        </div>
      ),
    },
    { title: "Ways to ask", isNarrow: true, align: "end", cell: ({ questions }) => questions.length },
    {
      title: "For",
      isNarrow: true,
      cell: ({ version, language }) => [version, language].filter((each) => each !== "").join(", ") || "all",
    },
    { title: "From", cell: ({ source }) => (source === null ? "written here" : source) },
    { title: "State", cell: ({ concerns }) => <State concerns={concerns} /> },
  ];
}

function State({ concerns }: { concerns: readonly string[] }) {
  if (concerns.length === 0) return <Badge tone="good">Given</Badge>;
  return (
    <div className="answer-concerns">
      {concerns.map((concern) => (
        <Badge key={concern} tone="warn">
          {concern}
        </Badge>
      ))}
    </div>
  );
}
