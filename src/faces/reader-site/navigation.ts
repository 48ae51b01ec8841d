/** The pages beside the text; on a small screen they come in over it. */
export function prepareMenu(): void {
  const menu = document.querySelector<HTMLElement>("nav.menu");
  const opener = document.querySelector<HTMLElement>("a.menu-open");
  if (!menu || !opener) return;
  showCurrent(menu);
  const behind = document.querySelectorAll<HTMLElement>("header.top, main, nav.outline, .skip");
  const setOpen = (isOpen: boolean) => {
    menu.classList.toggle("open", isOpen);
    document.documentElement.classList.toggle("menu-is-open", isOpen);
    opener.setAttribute("aria-expanded", String(isOpen));
    for (const each of behind) each.inert = isOpen;
    if (isOpen) {
      showCurrent(menu);
      menu.querySelector<HTMLElement>("a.menu-close")?.focus();
    } else opener.focus();
  };
  const isOpen = () => menu.classList.contains("open");
  opener.setAttribute("role", "button");
  opener.setAttribute("aria-expanded", "false");
  opener.addEventListener("click", (event) => {
    event.preventDefault();
    setOpen(true);
  });
  opener.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    setOpen(true);
  });
  for (const closer of document.querySelectorAll("a.menu-close, a.menu-behind"))
    closer.addEventListener("click", (event) => {
      if (!isOpen()) return;
      event.preventDefault();
      setOpen(false);
    });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && isOpen() && setOpen(false));
  // A screen that is wide enough has it beside the text, with nothing behind it.
  matchMedia("(min-width: 60rem)").addEventListener(
    "change",
    ({ matches }) => matches && isOpen() && setOpen(false),
  );
}

/** Scrolls the menu, and nothing else, to where the reader is. */
function showCurrent(menu: HTMLElement): void {
  const current = menu.querySelector<HTMLElement>('[aria-current="page"]');
  if (!current) return;
  const { top, height } = current.getBoundingClientRect();
  const frame = menu.getBoundingClientRect();
  const isSeen = top >= frame.top && top + height <= frame.bottom;
  if (!isSeen) menu.scrollTop += top - frame.top - frame.height / 3;
}

/** Below the bar at the top, with some room. */
const LINE_PIXELS = 110;

/** Marks in the outline which section is being read. */
export function followOutline(): void {
  const outline = document.querySelector<HTMLElement>("nav.outline");
  if (!outline) return;
  const sections = [...outline.querySelectorAll<HTMLAnchorElement>("a")].flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return heading ? [{ link, heading }] : [];
  });
  let marked: HTMLElement | undefined;
  let waiting = false;
  const mark = () => {
    waiting = false;
    const { scrollY, innerHeight } = window;
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const passed = sections.filter(({ heading }) => heading.getBoundingClientRect().top <= LINE_PIXELS);
    const link = (isAtEnd ? sections : passed).at(-1)?.link;
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    marked = link;
    if (link) keepSeen(outline, link);
  };
  const soon = () => {
    if (!waiting) requestAnimationFrame(mark);
    waiting = true;
  };
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon, { passive: true });
  mark();
}

function keepSeen(outline: HTMLElement, link: HTMLElement): void {
  const { top, bottom } = link.getBoundingClientRect();
  const frame = outline.getBoundingClientRect();
  if (top < frame.top) outline.scrollTop -= frame.top - top + LINE_PIXELS / 2;
  if (bottom > frame.bottom) outline.scrollTop += bottom - frame.bottom + LINE_PIXELS / 2;
}
