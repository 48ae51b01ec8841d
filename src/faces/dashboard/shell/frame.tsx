import "./shell.css";
import "./account-menu.css";
import "./breadcrumbs.css";
import "./drawer.css";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { IconButton } from "../kit/buttons/button.tsx";
import { Brand } from "../kit/layout/brand.tsx";
import { Menu } from "../kit/overlay/menu.tsx";
import { ThemeMenu } from "../kit/overlay/theme-menu.tsx";
import { Link, listenToMoves, pathTo, useRoute } from "../router.ts";
import { useSessionState } from "../session-context.ts";
import { sitePath } from "../site-view.ts";
import { useAttempt } from "../use-attempt.ts";
import { type ListedSite, useSites } from "../use-sites.tsx";
import { Sidebar } from "./sidebar.tsx";

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

/** Who is signed in, and the way out. */
function AccountMenu() {
  const { session, signOut } = useSessionState();
  const attempt = useAttempt();
  const { name } = session.member;
  return (
    <Menu
      label={`Account of ${name}`}
      className="account-menu"
      items={[
        { label: name, note: "Your account", icon: "person", to: "/account" },
        { label: "Sign out", icon: "signOut", onSelect: () => void attempt(signOut) },
      ]}
    >
      <span className="visually-hidden">Account of {name}</span>
      <span className="account-initials" aria-hidden="true">
        {initialsOf(name)}
      </span>
    </Menu>
  );
}

/** The initials of a name: at most two letters, of its first word and its last. */
function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter((word) => word !== "");
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words.slice(0, 1);
  return chosen
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}

interface BreadcrumbsProps {
  site: ListedSite | undefined;
  crumb: string | undefined;
}

/** `/dashboard/{organization}/{domain}/{part}`. */
const PART_SEGMENTS = 4;

/** The breadcrumbs to the page. At the top there are none: on a phone, Docent's name stands there. */
function Breadcrumbs({ site, crumb }: BreadcrumbsProps) {
  const { path } = useRoute();
  // What is below a part of a site leads back to it.
  const part = path.length > PART_SEGMENTS ? pathTo(path.slice(0, PART_SEGMENTS)) : undefined;
  const way = [
    { label: "Sites", to: "/" },
    ...(site ? [{ label: site.name, to: crumb === undefined ? undefined : sitePath(site) }] : []),
    ...(crumb === undefined ? [] : [{ label: crumb, to: part }]),
  ];
  if (way.length === 1) {
    return (
      <div className="breadcrumbs">
        <span className="breadcrumbs-brand">
          <Brand />
        </span>
      </div>
    );
  }
  return (
    <nav className="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        {way.map(({ label, to }) => (
          <li key={to ?? label}>
            {to === undefined ? <span aria-current="page">{label}</span> : <Link to={to}>{label}</Link>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface DrawerProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The menu on a phone. It goes when a place was chosen. */
function Drawer(props: DrawerProps) {
  return props.isOpen ? <OpenDrawer {...props} /> : null;
}

function OpenDrawer({ onClose, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => listenToMoves(onClose), [onClose]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way, and the browser tells of it as cancel.
    <dialog
      ref={dialog}
      className="drawer"
      aria-label="Menu"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <span className="drawer-close">
        <IconButton icon="close" label="Close the menu" onClick={onClose} />
      </span>
      {children}
    </dialog>
  );
}
