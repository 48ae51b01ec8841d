/** Who manages: a program with an admin key, or a member who is signed in. */
export interface Admin {
  kind: "key" | "member";
  /** The key's id, or the member's. */
  id: string;
  /** Manages the server itself, and every organization. */
  isServer: boolean;
  /** May change something, and not only see it. */
  mayWrite: boolean;
  /** Whether an organization and what it has is shown. What is not shown is not there. */
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
