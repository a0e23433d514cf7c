/** A copy of an object, of the same class, with some of its members replaced. */
export function withMembers<T extends object>(object: T, members: Partial<T>): T {
  return Object.assign(Object.create(Object.getPrototypeOf(object) as object) as T, object, members);
}
