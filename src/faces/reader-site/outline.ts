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
