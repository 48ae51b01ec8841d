import { OutsideLink } from "../kit/buttons/outside-link.tsx";
import { Failed } from "../kit/feedback/failed.tsx";
import { Loading } from "../kit/feedback/loading.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";
import { beginOf, PERIODS, type PeriodDays, periodIn } from "../period.ts";
import { type Overview, siteAnalytics } from "../replies.ts";
import { hrefOf, Link, pathTo, useRoute } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";
import { useResource } from "../use-resource.ts";
import { HealthCard } from "./health-card.tsx";
import { NumbersCard } from "./numbers-card.tsx";
import { OutcomesCard } from "./outcomes-card.tsx";
import { PagesCards } from "./pages-cards.tsx";
import { QuestionsCard } from "./questions-card.tsx";
import { StartCard } from "./start-card.tsx";
import { TopGapsCard } from "./top-gaps-card.tsx";
import { WaitsCard } from "./waits-card.tsx";
import "./overview.css";

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
