/** The names that are there, as an attribute holds them. */
export const classNames = (...names: (string | false | undefined)[]) =>
  names.filter((name) => name !== false && name !== undefined && name !== "").join(" ");
