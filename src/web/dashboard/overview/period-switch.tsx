import { PERIODS, type PeriodDays } from "../conversations/period.ts";
import { Link } from "../router.ts";
import { type SiteView, sitePath } from "../site-view.ts";

/** How far back the page looks. It is in the address. */
export function PeriodSwitch({ site, days }: { site: SiteView; days: PeriodDays }) {
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
