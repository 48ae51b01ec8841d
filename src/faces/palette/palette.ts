import { isComposing } from "../dom/keyboard.ts";
import { type Asker, createAsker, type Find } from "./asker.ts";
import { type Choice, createChoice, type ListPart } from "./choice.ts";
import { groupHits, type Hit, type Reply } from "./hits.ts";
import { createRecents, type KeptText, type Recent, type Recents } from "./recents.ts";
import { askRow, type Chosen, hitRow, moreRow, recentRow, starterRow } from "./rows.ts";
import type { PaletteSay } from "./view.ts";
import { drawPalette, modifierName, type PaletteView, QUERY_CHARACTERS_MAX } from "./view.ts";

export { readOperationReply, readReaderReply } from "./hits.ts";

/** Search over the whole screen: it finds while one types, and leads to a page or to a question. */
export interface Palette {
  /** Shows it with these words, or with those that it was left with. */
  show(query?: string): void;
  isShown(): boolean;
  /** Takes it out of where it is drawn. */
  end(): void;
}

export interface PaletteOptions {
  /** What it is drawn in: an element of a shadow root. */
  root: HTMLElement;
  say: PaletteSay;
  find: Find;
  starters: () => readonly string[];
  /** Where it keeps what was chosen. */
  kept: KeptText;
  onAsk: (question: string) => void;
  /** A hit is followed. */
  onOpen: (url: string) => void;
  /** The reader goes back to the page. */
  onClose: () => void;
}

const HITS_MAX = 10;
const ALL_HITS_MAX = 50;

export function createPalette(options: PaletteOptions): Palette {
  const { root, say, find, starters, kept } = options;
  const recents = createRecents(kept);
  const view = drawPalette(root, say, () => ways.leave());
  const choice = createChoice(view, (chosen) =>
    chosen.does === "more" ? search(ALL_HITS_MAX) : ways.go(chosen),
  );
  const asker = createAsker(find, {
    reply: (query, hitsMax, reply) => showReply(view, choice, say, { query, hitsMax, reply }),
    failed: (query) => showFailure(view, choice, say, query),
  });
  const ways = createWays(view, asker, recents, options);

  function search(hitsMax = HITS_MAX): void {
    const query = queryIn(view);
    if (query !== "") asker.ask(query, hitsMax);
    else {
      asker.leave();
      showBeginning(view, choice, say, recents, starters());
    }
  }

  listen(view, { search, ask: ways.ask, leave: ways.leave, choice });
  return {
    show(query) {
      if (query !== undefined) view.input.value = query.slice(0, QUERY_CHARACTERS_MAX);
      if (!view.dialog.open) view.dialog.showModal();
      view.input.focus();
      // Whoever has begun to write goes on; what was left from before is written over.
      if (query === undefined) view.input.select();
      search();
    },
    isShown: () => view.dialog.open,
    end() {
      asker.leave();
      view.dialog.remove();
    },
  };
}

/** What leads out of the palette: to a page, to a question, and back. */
function createWays(
  { dialog }: PaletteView,
  asker: Asker,
  recents: Recents,
  { onAsk, onOpen, onClose }: Pick<PaletteOptions, "onAsk" | "onOpen" | "onClose">,
) {
  function hide(): void {
    asker.leave();
    dialog.close();
  }

  function ask(question: string): void {
    recents.add({ words: question, url: undefined });
    hide();
    onAsk(question);
  }

  /** Where it is not known at which address the docs are, a hit is asked about. */
  function follow({ words, url }: Recent): void {
    if (url === undefined) ask(words);
    else {
      recents.add({ words, url });
      hide();
      onOpen(url);
    }
  }

  return {
    ask,
    go(chosen: Exclude<Chosen, { does: "more" }>): void {
      if (chosen.does === "ask") ask(chosen.question);
      else follow(chosen.does === "open" ? recentOf(chosen.hit) : chosen.recent);
    },
    leave(): void {
      if (!dialog.open) return;
      hide();
      onClose();
    },
  };
}

const queryIn = ({ input }: PaletteView) => input.value.trim();
const recentOf = ({ title, headings, url }: Hit): Recent => ({
  words: [title, ...headings].join(" › "),
  url,
});

interface PaletteActions {
  search(): void;
  ask(question: string): void;
  leave(): void;
  choice: Choice;
}

function listen(view: PaletteView, { search, ask, leave, choice }: PaletteActions): void {
  const { dialog, input } = view;
  input.addEventListener("input", () => search());
  dialog.addEventListener("keydown", (event) => {
    // Words of some scripts are put together with the same keys.
    if (isComposing(event)) return;
    const { key, metaKey, ctrlKey, target } = event;
    const query = queryIn(view);
    if (key === "ArrowDown" || key === "ArrowUp") choice.step(key === "ArrowDown" ? 1 : -1);
    else if (key === "Enter" && (metaKey || ctrlKey) && query !== "") ask(query);
    else if (key === "Enter" && target === input) choice.press();
    else if (key === "Escape") leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  // Of a dialog, what is outside of its box is its backdrop.
  dialog.addEventListener("pointerdown", ({ target }) => target === dialog && leave());
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave();
  });
}

const askPart = (say: PaletteSay, query: string): ListPart => ({
  title: undefined,
  rows: [askRow(say("askRow", { query }), query, `${modifierName()}↵`)],
});

function showReply(
  { note, status }: PaletteView,
  choice: Choice,
  say: PaletteSay,
  { query, hitsMax, reply: { hits, corrected } }: { query: string; hitsMax: number; reply: Reply },
): void {
  const groups = groupHits(hits).map(({ title, hits: own }) => ({ title, rows: own.map(hitRow) }));
  const isCut = hits.length >= hitsMax && hitsMax < ALL_HITS_MAX;
  const more = isCut ? [{ title: undefined, rows: [moreRow(say("allResults"))] }] : [];
  note.textContent = corrected === undefined ? "" : say("corrected", { query: corrected });
  choice.show([askPart(say, query), ...groups, ...more], hits.length === 0 ? 0 : 1);
  const counted = say(hits.length === 0 ? "nothingFound" : "found", { query, count: hits.length });
  status.textContent = `${note.textContent} ${counted}`.trim();
  if (hits.length === 0) note.textContent = counted;
}

function showFailure({ note, status }: PaletteView, choice: Choice, say: PaletteSay, query: string): void {
  choice.show([askPart(say, query)], 0);
  note.textContent = say("searchFailed");
  status.textContent = note.textContent;
}

/** Before anything is written: what was chosen before, and questions to begin with. */
function showBeginning(
  { note, status }: PaletteView,
  choice: Choice,
  say: PaletteSay,
  recents: Recents,
  starters: readonly string[],
): void {
  const parts = [
    { title: say("recent"), rows: recents.all().map(recentRow) },
    { title: say("starters"), rows: starters.map(starterRow) },
  ];
  note.textContent = "";
  status.textContent = "";
  choice.show(
    parts.filter(({ rows }) => rows.length > 0),
    -1,
  );
}
