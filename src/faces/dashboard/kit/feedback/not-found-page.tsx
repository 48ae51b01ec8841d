import { ButtonLink } from "../buttons/button.tsx";
import { PageHeader } from "../layout/page-header.tsx";

/** Stands where the address leads nowhere. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader
        title="There is no such page"
        description="The address leads nowhere, or to something that you may not see. It may have been removed or renamed."
      />
      <ButtonLink to="/" icon="back">
        All sites
      </ButtonLink>
    </>
  );
}
