/** Closes the menus of versions and languages on a click outside, on Escape, and when another one opens. */
export function prepareChoices(): void {
  const all = [...document.querySelectorAll<HTMLDetailsElement>("details.choice")];
  if (all.length === 0) return;
  const closeAllBut = (kept: Node | null) => {
    for (const each of all) if (kept === null || !each.contains(kept)) each.open = false;
  };
  document.addEventListener("click", ({ target }) => closeAllBut(target instanceof Node ? target : null));
  document.addEventListener("keydown", ({ key }) => {
    const open = all.find((each) => each.open);
    if (key !== "Escape" || !open) return;
    open.open = false;
    open.querySelector("summary")?.focus();
  });
}

const PARAMETER = "theme";

/**
 * Changes colours at once. The page is sandboxed and can keep nothing in the browser, so every link that stays in the
 * site gets `?theme=`.
 */
export function prepareThemes(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("a[data-set-theme]")];
  for (const link of links)
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const theme = link.dataset["setTheme"] ?? "";
      if (theme === "") delete document.documentElement.dataset["theme"];
      else document.documentElement.dataset["theme"] = theme;
      for (const each of links) {
        if (each.dataset["setTheme"] === theme) each.setAttribute("aria-current", "true");
        else each.removeAttribute("aria-current");
      }
      carryTheme(theme);
    });
}

function carryTheme(theme: string): void {
  const root = /^.*?\/sites\/[^/]+/.exec(location.pathname)?.[0];
  if (root === undefined) return;
  const isInside = (link: HTMLAnchorElement) =>
    link.origin === new URL(location.href).origin && `${link.pathname}/`.startsWith(`${root}/`);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]:not([data-set-theme])")) {
    const written = link.getAttribute("href") ?? "";
    if (!written.startsWith("#") && isInside(link)) link.search = themed(link.search, theme);
  }
  for (const form of document.querySelectorAll<HTMLFormElement>("form.search")) carryInForm(form, theme);
  try {
    history.replaceState(
      history.state,
      "",
      themed(location.search, theme) + location.hash || location.pathname,
    );
  } catch {
    // Some browsers let a sandboxed page change nothing in its address. Links carry the choice on.
  }
}

function carryInForm(form: HTMLFormElement, theme: string): void {
  form.querySelector(`input[name="${PARAMETER}"]`)?.remove();
  if (theme !== "") {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name: PARAMETER, value: theme });
    form.append(input);
  }
  const { search } = form.dataset;
  if (search === undefined) return;
  const url = new URL(search, location.href);
  form.dataset["search"] = url.pathname + themed(url.search, theme);
}

function themed(search: string, theme: string): string {
  const query = new URLSearchParams(search);
  query.delete(PARAMETER);
  if (theme !== "") query.set(PARAMETER, theme);
  return query.size === 0 ? "" : `?${query}`;
}
