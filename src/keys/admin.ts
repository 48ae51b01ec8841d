/** Who manages: a program with an admin key, or a member who is signed in. */
export interface Admin {
  kind: "key" | "member";
  /** The key's id, or the member's. */
  id: string;
  /** The server itself is its affair, and every organization. */
  isServer: boolean;
  /** There is something that it may change. */
  mayWrite: boolean;
  /** What is an organization's is shown to it, and is not there otherwise. */
  sees(organizationId: string): boolean;
  mayChange(organizationId: string): boolean;
  /** What an operation may work with: in one that changes things, what may be changed; in another, what is seen. */
  manages(organizationId: string): boolean;
}

/** An admin with those rights, before an operation that reads. */
export function createAdmin(rights: Omit<Admin, "manages">): Admin {
  return { ...rights, manages: rights.sees };
}

/** The same admin before an operation that changes things. */
export function forWriting(admin: Admin): Admin {
  return { ...admin, manages: admin.mayChange };
}
