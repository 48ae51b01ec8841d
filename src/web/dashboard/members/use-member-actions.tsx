import { useApi } from "../api.ts";
import { toApiError } from "../api-error.ts";
import { useConfirm } from "../kit/overlay/confirm.tsx";
import { useToast } from "../kit/overlay/toast.tsx";
import { type Role, useSessionState } from "../session.ts";
import type { ShownLink } from "./link-dialog.tsx";
import { lossOfRole, ownLoss } from "./loss-questions.ts";
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
