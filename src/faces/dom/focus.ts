/** Remembers where the reader was in the page, to give the focus back there. */
export function createFocus(root: HTMLElement) {
  let before: Element | null = null;
  const isInside = () => root.contains(rootOf(root).activeElement);
  return {
    /** Whether the focus is in the widget. */
    isInside,
    /** Whether something else of the page has it: there it stays. */
    isElsewhere() {
      const { activeElement, body } = document;
      return activeElement !== null && activeElement !== body && !isInside();
    },
    remember() {
      before = isInside() ? null : document.activeElement;
    },
    /** Back to where it was, else to what opens the widget. */
    giveBack(launcher: HTMLElement) {
      const isGone = !before?.isConnected || before === document.body;
      const target = isGone ? launcher : before;
      before = null;
      if (target instanceof HTMLElement || target instanceof SVGElement)
        target.focus({ preventScroll: true });
    },
  };
}

/** The shadow root that an element is in: it alone knows what has the focus there. */
export function rootOf(element: Node): Document | ShadowRoot {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root : document;
}
