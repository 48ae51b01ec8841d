import { Menu } from "../kit/overlay/menu.tsx";
import { useSessionState } from "../session.ts";
import { useAttempt } from "../use-attempt.ts";
import "./account-menu.css";

/** Who is signed in, and the way out. */
export function AccountMenu() {
  const { session, signOut } = useSessionState();
  const attempt = useAttempt();
  const { name } = session.member;
  return (
    <Menu
      label={`Account of ${name}`}
      className="account-menu"
      items={[
        { label: name, note: "Your account", icon: "person", to: "/account" },
        { label: "Sign out", icon: "signOut", onSelect: () => void attempt(signOut) },
      ]}
    >
      <span className="visually-hidden">Account of {name}</span>
      <span className="account-initials" aria-hidden="true">
        {initialsOf(name)}
      </span>
    </Menu>
  );
}

/** The initials of a name: at most two letters, of its first word and its last. */
function initialsOf(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter((word) => word !== "");
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words.slice(0, 1);
  return chosen
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}
