import { AppError } from "@docent/kernel/errors";
import { type Member, nameKeyOf } from "./member.ts";

/** Who may have a password, as the settings say. */
export interface PasswordSettings {
  /** `emergency`: one member alone. */
  passwords: "on" | "emergency";
  emergency_member: string;
}

/** Whether somebody of that name may sign in with a password. */
export const mayHavePassword = ({ passwords, emergency_member }: PasswordSettings, name: string): boolean =>
  passwords === "on" || isEmergencyName(emergency_member, name);

/** Raises `forbidden` for a name that may have no password. */
export function checkPasswordAllowed(settings: PasswordSettings, name: string): void {
  if (mayHavePassword(settings, name)) return;
  throw new AppError(
    "forbidden",
    "Passwords are switched off on this server: sign in with the account that the sign-in page names.",
    { hint: "The setting passwords is emergency, so that emergency_member alone has a password." },
  );
}

/** Raises `conflict` for the member whom the operator keeps for emergencies. */
export function checkNotForEmergencies(
  { passwords, emergency_member }: PasswordSettings,
  { name }: Member,
): void {
  if (passwords === "on" || !isEmergencyName(emergency_member, name)) return;
  throw new AppError(
    "conflict",
    `${name} is kept for emergencies by whoever runs this server: name another one in emergency_member first.`,
  );
}

const isEmergencyName = (emergency: string, name: string) =>
  emergency !== "" && nameKeyOf(name) === nameKeyOf(emergency);
