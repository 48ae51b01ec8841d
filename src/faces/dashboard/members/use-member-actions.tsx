import { useApi } from "../api.ts";
import { toApiError } from "../api-error.ts";
import { type Confirmation, useConfirm } from "../kit/overlay/confirm.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { type Role, useSessionState } from "../session-context.ts";
import type { ShownLink } from "./link-dialog.tsx";
import type { MemberLink, MemberView } from "./member-view.ts";

interface ActionDeps {
  reload: () => Promise<void>;
  showLink: (link: ShownLink) => void;
}

/** What an owner does about a member. Each says what came of it. */
export function useMemberActions({ reload, showLink }: ActionDeps) {
  const api = useApi();
  const confirm = useConfirm();
  const toast = useToast();
  const { session, reload: reloadSession } = useSessionState();
  const isSelf = ({ id }: MemberView) => id === session.member.id;
  const pathOf = ({ id }: MemberView) => `/v1/admin/members/${encodeURIComponent(id)}`;

  async function attempt(act: () => Promise<void>, about?: MemberView): Promise<void> {
    try {
      await act();
      // What one may do oneself shows all over the app.
      if (about && isSelf(about)) await reloadSession();
    } catch (error) {
      const { message, hint } = toApiError(error);
      toast(hint ? `${message} ${hint}` : message, { tone: "bad" });
    }
    await reload();
  }

  return {
    makeLink: (member: MemberView) =>
      void attempt(async () => {
        const made = await api.post<MemberLink>(`${pathOf(member)}/link`);
        showLink({ name: member.name, ...made, isInvitation: member.state === "invited" });
      }),

    async remove(member: MemberView) {
      const isAgreed = await confirm({
        title: `Remove ${member.name}?`,
        text: `${member.name} is signed out everywhere at once and cannot sign in again. What they set up stays.`,
        action: `Remove ${member.name}`,
      });
      if (!isAgreed) return;
      await attempt(async () => {
        await api.delete(pathOf(member));
        toast(`${member.name} is removed.`);
      });
    },

    async setRole(member: MemberView, organization: { id: string; name: string }, role: Role | null) {
      const { name } = organization;
      if (isSelf(member) && role !== "owner" && !(await confirm(ownLoss(`your role in ${name}`)))) return;
      if (!isSelf(member) && role === null && !(await confirm(lossOfRole(member.name, name)))) return;
      await attempt(async () => {
        await api.patch(pathOf(member), { organization: organization.id, role });
        toast(role === null ? `${member.name} has left ${name}.` : `${member.name} is ${role} in ${name}.`);
      }, member);
    },

    async setServerOwner(member: MemberView, serverOwner: boolean) {
      if (isSelf(member) && !serverOwner && !(await confirm(ownLoss("the server")))) return;
      await attempt(async () => {
        await api.patch(pathOf(member), { serverOwner });
        toast(serverOwner ? `${member.name} owns the server.` : `${member.name} no longer owns the server.`);
      }, member);
    },
  };
}

/** Asked before a role goes: who has none is not seen any more, and cannot be given one from here. */
const lossOfRole = (member: string, organization: string): Confirmation => ({
  title: `Take ${member} out of ${organization}?`,
  text: `${member} sees nothing of ${organization} from then on. To let them in again takes a new invitation, or an owner of the server.`,
  action: `Take ${member} out`,
});

/** Asked before an owner gives up what they could not give themselves again. */
const ownLoss = (what: string): Confirmation => ({
  title: `Give up ${what}?`,
  text: "You cannot take it back: only another owner can make you one again.",
  action: "Give it up",
});
