import { type ReactNode, useState } from "react";
import { IconButton } from "../kit/buttons/icon-button.tsx";
import { ThemeMenu } from "../kit/overlay/theme-menu.tsx";
import { type ListedSite, useSites } from "../use-sites.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { Drawer } from "./drawer.tsx";
import { Sidebar } from "./sidebar.tsx";
import "./shell.css";

interface ShellProps {
  /** Of the site that the address names. */
  domain: string | undefined;
  crumb: string | undefined;
  children: ReactNode;
}

/** The frame around every page: sidebar, top bar and menus. */
export function Shell({ domain, crumb, children }: ShellProps) {
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);
  const site = useSites().data?.find((each: ListedSite) => each.domain === domain);
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <aside className="shell-side">
        <Sidebar site={site} />
      </aside>
      <Drawer isOpen={isDrawerOpen} onClose={() => setIsDrawerOpen(false)}>
        <Sidebar site={site} />
      </Drawer>
      <header className="shell-top">
        <span className="shell-menu">
          <IconButton
            icon="menu"
            label="Open the menu"
            aria-haspopup="dialog"
            onClick={() => setIsDrawerOpen(true)}
          />
        </span>
        <Breadcrumbs site={site} crumb={crumb} />
        <ThemeMenu />
        <AccountMenu />
      </header>
      <main className="shell-main" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
