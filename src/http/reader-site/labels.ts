import type { ReadingWords } from "../../markdown/render/render.ts";

/** The reader's own words. `{…}` is filled in. */
export interface ReaderLabels extends ReadingWords {
  skip: string;
  menu: string;
  close: string;
  search: string;
  resultsFor: string;
  results: string;
  corrected: string;
  noResults: string;
  searchBusy: string;
  onThisPage: string;
  overview: string;
  previous: string;
  next: string;
  more: string;
  pages: string;
  noPages: string;
  version: string;
  language: string;
  theme: string;
  system: string;
  light: string;
  dark: string;
  copy: string;
  copied: string;
  published: string;
  edit: string;
  path: string;
  nearest: string;
  links: string;
  missing: string;
}

const ENGLISH: ReaderLabels = {
  skip: "Skip to the text",
  menu: "Menu",
  close: "Close the menu",
  search: "Search",
  resultsFor: "Results for “{query}”",
  results: "Results: {count}",
  corrected: "Showing results for “{query}”.",
  noResults: "Nothing was found for “{query}”. Try fewer or other words.",
  searchBusy: "Search is busy right now. Please try again in a moment.",
  onThisPage: "On this page",
  overview: "Overview",
  previous: "Previous",
  next: "Next",
  more: "More pages",
  pages: "Pages",
  noPages: "There are no pages here yet.",
  version: "Version",
  language: "Language",
  theme: "Colours",
  system: "As the system",
  light: "Light",
  dark: "Dark",
  linkHere: "Link to this section",
  copy: "Copy",
  copied: "Copied",
  published: "Published page",
  edit: "Edit this page",
  path: "Where you are",
  nearest: "Did you mean one of these pages?",
  links: "Links",
  missing: "Search for what you need, or choose a page from the menu.",
  callouts: { note: "Note", tip: "Tip", important: "Important", warning: "Warning", caution: "Caution" },
  taskDone: "Done",
  taskOpen: "Not done",
};

const LABELS = new Map<string, ReaderLabels>(
  Object.entries({
    en: ENGLISH,
    de: {
      skip: "Zum Text springen",
      menu: "Menü",
      close: "Menü schließen",
      search: "Suchen",
      resultsFor: "Ergebnisse für „{query}“",
      results: "Ergebnisse: {count}",
      corrected: "Gesucht wurde nach „{query}“.",
      noResults: "Zu „{query}“ wurde nichts gefunden. Versuchen Sie es mit weniger oder anderen Wörtern.",
      searchBusy: "Die Suche ist gerade ausgelastet. Bitte versuchen Sie es gleich noch einmal.",
      onThisPage: "Auf dieser Seite",
      overview: "Überblick",
      previous: "Zurück",
      next: "Weiter",
      more: "Weitere Seiten",
      pages: "Seiten",
      noPages: "Hier gibt es noch keine Seiten.",
      version: "Version",
      language: "Sprache",
      theme: "Farben",
      system: "Wie das System",
      light: "Hell",
      dark: "Dunkel",
      linkHere: "Link zu diesem Abschnitt",
      copy: "Kopieren",
      copied: "Kopiert",
      published: "Veröffentlichte Seite",
      edit: "Diese Seite bearbeiten",
      path: "Wo Sie sind",
      nearest: "Meinten Sie eine dieser Seiten?",
      links: "Links",
      missing: "Suchen Sie danach, oder wählen Sie eine Seite aus dem Menü.",
      callouts: {
        note: "Hinweis",
        tip: "Tipp",
        important: "Wichtig",
        warning: "Warnung",
        caution: "Vorsicht",
      },
      taskDone: "Erledigt",
      taskOpen: "Offen",
    },
    fr: {
      skip: "Aller au texte",
      menu: "Menu",
      close: "Fermer le menu",
      search: "Rechercher",
      resultsFor: "Résultats pour « {query} »",
      results: "Résultats : {count}",
      corrected: "Résultats affichés pour « {query} ».",
      noResults: "Rien n’a été trouvé pour « {query} ». Essayez avec moins de mots, ou d’autres.",
      searchBusy: "La recherche est trop sollicitée. Veuillez réessayer dans un instant.",
      onThisPage: "Sur cette page",
      overview: "Aperçu",
      previous: "Précédent",
      next: "Suivant",
      more: "Autres pages",
      pages: "Pages",
      noPages: "Il n’y a pas encore de pages ici.",
      version: "Version",
      language: "Langue",
      theme: "Couleurs",
      system: "Comme le système",
      light: "Clair",
      dark: "Sombre",
      linkHere: "Lien vers cette section",
      copy: "Copier",
      copied: "Copié",
      published: "Page publiée",
      edit: "Modifier cette page",
      path: "Où vous êtes",
      nearest: "Cherchiez-vous l’une de ces pages ?",
      links: "Liens",
      missing: "Faites une recherche, ou choisissez une page dans le menu.",
      callouts: {
        note: "Remarque",
        tip: "Conseil",
        important: "Important",
        warning: "Avertissement",
        caution: "Attention",
      },
      taskDone: "Fait",
      taskOpen: "À faire",
    },
    es: {
      skip: "Ir al texto",
      menu: "Menú",
      close: "Cerrar el menú",
      search: "Buscar",
      resultsFor: "Resultados de «{query}»",
      results: "Resultados: {count}",
      corrected: "Se muestran resultados de «{query}».",
      noResults: "No se ha encontrado nada sobre «{query}». Pruebe con menos palabras o con otras.",
      searchBusy: "La búsqueda está saturada. Inténtelo de nuevo en un momento.",
      onThisPage: "En esta página",
      overview: "Resumen",
      previous: "Anterior",
      next: "Siguiente",
      more: "Más páginas",
      pages: "Páginas",
      noPages: "Aquí no hay páginas todavía.",
      version: "Versión",
      language: "Idioma",
      theme: "Colores",
      system: "Como el sistema",
      light: "Claro",
      dark: "Oscuro",
      linkHere: "Enlace a esta sección",
      copy: "Copiar",
      copied: "Copiado",
      published: "Página publicada",
      edit: "Editar esta página",
      path: "Dónde está",
      nearest: "¿Buscaba una de estas páginas?",
      links: "Enlaces",
      missing: "Búsquelo, o elija una página del menú.",
      callouts: {
        note: "Nota",
        tip: "Consejo",
        important: "Importante",
        warning: "Advertencia",
        caution: "Precaución",
      },
      taskDone: "Hecho",
      taskOpen: "Pendiente",
    },
    zh: {
      skip: "跳到正文",
      menu: "菜单",
      close: "关闭菜单",
      search: "搜索",
      resultsFor: "“{query}”的搜索结果",
      results: "{count} 条结果",
      corrected: "显示的是“{query}”的结果。",
      noResults: "没有找到与“{query}”相关的内容。请减少或更换关键词。",
      searchBusy: "搜索繁忙，请稍后重试。",
      onThisPage: "本页内容",
      overview: "概述",
      previous: "上一页",
      next: "下一页",
      more: "更多页面",
      pages: "页面",
      noPages: "这里还没有页面。",
      version: "版本",
      language: "语言",
      theme: "颜色",
      system: "跟随系统",
      light: "浅色",
      dark: "深色",
      linkHere: "本节链接",
      copy: "复制",
      copied: "已复制",
      published: "已发布的页面",
      edit: "编辑此页",
      path: "当前位置",
      nearest: "您要找的是以下页面吗？",
      links: "链接",
      missing: "请搜索您需要的内容，或从菜单中选择页面。",
      callouts: { note: "备注", tip: "提示", important: "重要", warning: "警告", caution: "注意" },
      taskDone: "已完成",
      taskOpen: "未完成",
    },
    ja: {
      skip: "本文へ移動",
      menu: "メニュー",
      close: "メニューを閉じる",
      search: "検索",
      resultsFor: "「{query}」の検索結果",
      results: "{count} 件",
      corrected: "「{query}」の検索結果を表示しています。",
      noResults: "「{query}」に一致するものはありません。語を減らすか、別の語でお試しください。",
      searchBusy: "検索が混み合っています。しばらくしてからもう一度お試しください。",
      onThisPage: "このページの内容",
      overview: "概要",
      previous: "前へ",
      next: "次へ",
      more: "ほかのページ",
      pages: "ページ",
      noPages: "ここにはまだページがありません。",
      version: "バージョン",
      language: "言語",
      theme: "配色",
      system: "システムに合わせる",
      light: "ライト",
      dark: "ダーク",
      linkHere: "このセクションへのリンク",
      copy: "コピー",
      copied: "コピーしました",
      published: "公開ページ",
      edit: "このページを編集",
      path: "現在の位置",
      nearest: "お探しのページはこちらですか？",
      links: "リンク",
      missing: "検索するか、メニューからページを選んでください。",
      callouts: { note: "メモ", tip: "ヒント", important: "重要", warning: "警告", caution: "注意" },
      taskDone: "完了",
      taskOpen: "未完了",
    },
  }),
);

/** The words in a language; `de-AT` is `de`, and one that is not here is English. */
export const readerLabels = (language: string): ReaderLabels => LABELS.get(primaryOf(language)) ?? ENGLISH;

/** Fills `{name}` in a text. */
export const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

const RIGHT_TO_LEFT = new Set([
  "ar",
  "arc",
  "ckb",
  "dv",
  "fa",
  "he",
  "iw",
  "ks",
  "nqo",
  "ps",
  "sd",
  "syr",
  "ug",
  "ur",
  "yi",
]);

/** Which way a language is written. */
export const directionOf = (language: string): "ltr" | "rtl" =>
  RIGHT_TO_LEFT.has(primaryOf(language)) ? "rtl" : "ltr";

/** What a language is called in itself; its tag where nobody knows. */
export function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return tag;
  }
}

const primaryOf = (language: string) => language.toLowerCase().split(/[-_]/)[0] ?? "";
