import "./overview.css";
import { OutsideLink } from "../kit/buttons/button.tsx";
import { BarList } from "../kit/chart/bar-list.tsx";
import type { ChartPoint, Series } from "../kit/chart/line-chart.tsx";
import { LineChart } from "../kit/chart/line-chart.tsx";
import { Stat } from "../kit/chart/stat.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loaded } from "../kit/feedback/loaded.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { Card } from "../kit/layout/card.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { REASON_WORDS } from "../outcome-words.ts";
import { beginOf, PERIODS, type PeriodDays, periodIn } from "../period.ts";
import { type GapList, type Overview, type OverviewNumbers, siteAnalytics } from "../replies.ts";
import { hrefOf, Link, pathTo, useRoute } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import { HealthCard } from "./health-card.tsx";
import { countWords, readerWords, type Share, shareWords, waitWords } from "./number-words.ts";
import { OutcomesCard, PagesCards, WaitsCard } from "./overview-cards.tsx";
import { StartCard } from "./start-card.tsx";

const LOOK_MS = 60_000;
const DAYS: PeriodDays = 30;

/** A site at a glance: what is asked, what comes of it, and whether all of it works. */
export function OverviewPage({ site }: { site: SiteView }) {
  const { query } = useRoute();
  const days = periodIn(query) ?? DAYS;
  const overview = useResource<Overview>(`${siteAnalytics(site.domain)}/overview`, {
    query: overviewQuery(days),
    everyMs: LOOK_MS,
  });
  const shown = overview.data;
  const isQuiet = shown?.numbers.questions === 0 && shown.numbersBefore.questions === 0;
  return (
    <div className="stack-wide">
      <PageHeader
        title="Overview"
        of={site.name}
        actions={
          <>
            {site.generation > 0 && (
              <OutsideLink href={hrefOf(pathTo(["sites", site.domain]))}>Open the site</OutsideLink>
            )}
            <PeriodSwitch site={site} days={days} />
          </>
        }
      />
      {isQuiet && <StartCard site={site} days={days} />}
      {overview.state === "loading" && (
        <>
          <Loading shape="cards" lines={4} label="Reading the numbers" />
          <Loading lines={8} />
        </>
      )}
      {overview.error && <Failed error={overview.error} retry={() => void overview.reload()} />}
      {shown && isQuiet && <HealthCard site={site} />}
      {shown && !isQuiet && (
        <div className="stack" aria-busy={overview.isReloading}>
          <NumbersCard overview={shown} days={days} />
          <QuestionsCard overview={shown} />
          <div className="columns">
            <OutcomesCard site={site} overview={shown} days={days} />
            <WaitsCard overview={shown} />
          </div>
          <div className="columns">
            <TopGapsCard site={site} />
            <HealthCard site={site} />
          </div>
          <PagesCards site={site} overview={shown} />
        </div>
      )}
    </div>
  );
}

/** Reads the clock, so that days begin at the viewer's midnight and a page left open moves on to the next day. */
const overviewQuery = (days: PeriodDays) => ({
  dateFrom: beginOf(days, new Date()),
  timeZone: ownTimeZone(),
});

/** The viewer's time zone. Some browsers give a name that is not one where the system names none. */
function ownTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === undefined || timeZone === "Etc/Unknown" ? "UTC" : timeZone;
}

/** Chooses how many days the page looks back, and keeps that in the address. */
function PeriodSwitch({ site, days }: { site: SiteView; days: PeriodDays }) {
  return (
    <nav className="period-switch" aria-label="Period">
      {PERIODS.map((each) => (
        <Link
          key={each}
          to={`${sitePath(site)}?days=${each}`}
          aria-current={each === days ? "true" : undefined}
        >
          {each} days
        </Link>
      ))}
    </nav>
  );
}

/** The numbers that matter most, each beside the period before. */
function NumbersCard({ overview, days }: { overview: Overview; days: number }) {
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

const SERIES: readonly Series[] = [
  { name: "questions", label: "Questions", tone: "accent" },
  { name: "unanswered", label: "Without an answer", tone: "warn" },
];

/** Questions over time, and how many of them came to nothing. */
function QuestionsCard({ overview: { days, numbers } }: { overview: Overview }) {
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

const DAY_FORMAT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Days as a chart shows them: all questions, and those without an answer. */
const dayPoints = (days: Overview["days"]): ChartPoint[] =>
  days.map(({ date, questions, outcomes }) => ({
    label: DAY_FORMAT.format(new Date(`${date}T00:00:00Z`)),
    values: { questions, unanswered: outcomes.unanswered + outcomes.touched + outcomes.failed },
  }));

const GAPS_SHOWN = 5;

/** What to write next: the questions that most readers had no answer to. */
function TopGapsCard({ site }: { site: SiteView }) {
  const gaps = useResource<GapList>(`${siteAnalytics(site.domain)}/gaps`, {
    query: { state: "open", limit: GAPS_SHOWN },
  });
  return (
    <Card title="What to write next" actions={<Link to={sitePath(site, "gaps")}>All gaps</Link>}>
      <Loaded of={gaps} lines={3} label="Reading the gaps" />
      {gaps.state === "ready" && gaps.data.gaps.length === 0 && (
        <p className="quiet">
          {gaps.data.waiting > 0
            ? "Questions are being grouped. Look again in a moment."
            : "No open gaps: everything that was asked found an answer."}
        </p>
      )}
      {gaps.state === "ready" && gaps.data.gaps.length > 0 && (
        <BarList
          label="Open gaps, by how often they were asked"
          items={gaps.data.gaps.map(({ question, count, reason }) => ({
            label: question,
            value: count,
            note: REASON_WORDS[reason].label,
          }))}
        />
      )}
    </Card>
  );
}
