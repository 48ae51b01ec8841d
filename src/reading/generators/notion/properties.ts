/** What people call the property that holds the labels of a page, in the languages that Notion is used in most. */
const TAGS =
  /^(?:tags?|labels?|keywords?|schlagw(?:ort|orte|örter)|stichworte|étiquettes?|etiquetas?|теги|метки|标签|標籤|タグ|태그)$/i;

const TAGS_MAX = 50;

/** The labels of a page, from the values of its properties. */
export function tagsOf(properties: readonly { name: string; values: readonly string[] }[]): string[] {
  const tags = properties.flatMap(({ name, values }) => (TAGS.test(name.trim()) ? values : []));
  return [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== "").slice(0, TAGS_MAX);
}
