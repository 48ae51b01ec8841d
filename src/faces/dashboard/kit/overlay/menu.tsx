import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Link } from "../../router.ts";
import { type ButtonKind, buttonClass } from "../buttons/button.tsx";
import { classNames } from "../class-names.ts";
import { Icon } from "../icons/icon.tsx";
import type { IconName } from "../icons/icon-paths.ts";
import "./menu.css";

/** Something that a menu offers: a place to go, or a deed. */
export interface MenuItem {
  label: string;
  note?: string;
  icon?: IconName;
  tone?: "bad";
  /** A path of the app. */
  to?: string;
  onSelect?: () => void;
  isCurrent?: boolean;
  isDisabled?: boolean;
}

interface MenuProps {
  /** What it is for: spoken, and shown where the button has no words. */
  label: string;
  items: readonly MenuItem[];
  /** What the button shows; without it, an icon. */
  children?: ReactNode;
  icon?: IconName;
  kind?: ButtonKind;
  /** Which of the button's edges the list keeps to. */
  align?: "start" | "end";
  className?: string;
}

/** A button that opens a list. Arrow keys, Home, End and the first letter move in it; Escape leaves it. */
export function Menu(props: MenuProps) {
  const { label, items, children, icon = "more", kind = "quiet", align = "end", className } = props;
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useDismiss(isOpen, frame, () => setIsOpen(false));
  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  return (
    <div className="menu" ref={frame}>
      <button
        type="button"
        ref={button}
        className={buttonClass(
          kind,
          "normal",
          classNames(children === undefined && "icon-button", className),
        )}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={children === undefined ? label : undefined}
        title={children === undefined ? label : undefined}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setIsOpen(true);
        }}
      >
        {children ?? <Icon name={icon} />}
      </button>
      {isOpen && <Items id={id} label={label} items={items} align={align} anchor={button} close={close} />}
    </div>
  );
}

interface ItemsProps extends Required<Pick<MenuProps, "label" | "items" | "align">> {
  id: string;
  anchor: RefObject<HTMLButtonElement | null>;
  close: () => void;
}

function Items({ id, label, items, align, anchor, close }: ItemsProps) {
  const list = useRef<HTMLDivElement>(null);
  usePlaced(list, anchor, align);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current="true"]');
    (current ?? list.current?.querySelector<HTMLElement>(ENABLED))?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" || event.key === "Tab") close();
    // Buttons know the space bar, links do not.
    else if (event.key === " " && event.target instanceof HTMLAnchorElement) event.target.click();
    else if (!moveIn(list.current, event.key)) return;
    // Escape is told no further: a dialog around the menu stays.
    event.stopPropagation();
    event.preventDefault();
  };
  return (
    <div
      id={id}
      ref={list}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className="menu-list"
      popover="manual"
      onKeyDown={onKeyDown}
    >
      {items.map((item) => (
        <Item key={item.label + (item.to ?? "")} {...item} close={close} />
      ))}
    </div>
  );
}

function Item({
  label,
  note,
  icon,
  tone,
  to,
  onSelect,
  isCurrent,
  isDisabled,
  close,
}: MenuItem & { close: () => void }) {
  const select = () => {
    if (isDisabled) return;
    close();
    onSelect?.();
  };
  const shared = {
    role: "menuitem",
    tabIndex: -1,
    className: classNames("menu-item", tone && `menu-item-${tone}`),
    "aria-current": isCurrent ? ("true" as const) : undefined,
    "aria-disabled": isDisabled || undefined,
    onClick: select,
  };
  const content = (
    <>
      {icon && <Icon name={icon} size={16} />}
      <span className="menu-item-text">
        <span>{label}</span>
        {note && <span className="menu-item-note">{note}</span>}
      </span>
      {isCurrent && <Icon name="check" size={15} />}
    </>
  );
  return to === undefined ? (
    <button type="button" {...shared}>
      {content}
    </button>
  ) : (
    <Link to={to} {...shared}>
      {content}
    </Link>
  );
}

const ENABLED = '[role="menuitem"]:not([aria-disabled="true"])';

/** Moves the focus in a list as a key says; false where the key says nothing. */
function moveIn(list: HTMLElement | null, key: string): boolean {
  const items = [...(list?.querySelectorAll<HTMLElement>(ENABLED) ?? [])];
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? items.indexOf(focused) : -1;
  const begins = (item: HTMLElement) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase());
  const rotated = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  const targets: Record<string, HTMLElement | undefined> = {
    ArrowDown: rotated[0],
    ArrowUp: items.at(at - 1),
    Home: items[0],
    End: items.at(-1),
  };
  const target =
    key in targets ? targets[key] : key.length === 1 && key !== " " ? rotated.find(begins) : undefined;
  target?.focus();
  return target !== undefined;
}

/** Closes what is open when someone presses beside it, or the focus goes elsewhere. */
export function useDismiss(isOpen: boolean, frame: RefObject<HTMLElement | null>, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const hear = ({ target }: Event) => {
      if (target instanceof Node && !frame.current?.contains(target)) close();
    };
    document.addEventListener("pointerdown", hear);
    document.addEventListener("focusin", hear);
    return () => {
      document.removeEventListener("pointerdown", hear);
      document.removeEventListener("focusin", hear);
    };
  }, [isOpen, frame, close]);
}

/** The gap between a menu and its button, and to the edge of the window. */
const GAP_PX = 4;
const EDGE_PX = 8;

/**
 * Puts what opens below what opened it, or above where there is more room, in the browser's top layer: nothing around it
 * cuts it off. It follows when the page scrolls.
 */
export function usePlaced(
  opened: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  align: "start" | "end",
): void {
  useLayoutEffect(() => {
    const place = () => {
      if (opened.current && anchor.current) put(opened.current, anchor.current, align);
    };
    opened.current?.showPopover?.();
    place();
    window.addEventListener("scroll", place, { capture: true, passive: true });
    window.addEventListener("resize", place);
    return () => {
      window.removeEventListener("scroll", place, { capture: true });
      window.removeEventListener("resize", place);
    };
  }, [opened, anchor, align]);
}

function put(opened: HTMLElement, anchor: HTMLElement, align: "start" | "end"): void {
  const around = anchor.getBoundingClientRect();
  const { offsetWidth: width, scrollHeight: height } = opened;
  const above = around.top - GAP_PX - EDGE_PX;
  const below = window.innerHeight - around.bottom - GAP_PX - EDGE_PX;
  const goesUp = height > below && above > below;
  const wanted = align === "start" ? around.left : around.right - width;
  const left = Math.max(EDGE_PX, Math.min(wanted, document.documentElement.clientWidth - width - EDGE_PX));
  opened.style.left = `${left}px`;
  opened.style.maxHeight = `${Math.max(goesUp ? above : below, 0)}px`;
  opened.style.top = goesUp ? "auto" : `${around.bottom + GAP_PX}px`;
  opened.style.bottom = goesUp ? `${window.innerHeight - around.top + GAP_PX}px` : "auto";
  opened.style.minWidth = `${around.width}px`;
}
