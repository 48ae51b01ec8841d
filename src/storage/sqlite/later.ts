/** Something that is made when it is used for the first time. */
export function later<T extends object>(make: () => T): T {
  let made: T | undefined;
  return new Proxy<T>(Object.create(null), {
    get(_, name) {
      made ??= make();
      const member: unknown = Reflect.get(made, name, made);
      return typeof member === "function" ? member.bind(made) : member;
    },
  });
}
