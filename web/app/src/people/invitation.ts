// Invitation links: anybody who is signed in may join a room with one.
import type { CreatedInvite } from "../api/types.js";
import type { Page } from "../state/page.js";
import { endOf, inviteDurations } from "../ui/forms.js";

/** The usual life of a link in seconds, and how many people it lets in. */
export const usualLife = inviteDurations[1]?.value ?? "";
export const usualUses = 100;

/** Returns the address that lets people in. Only the answer that creates an invitation has its token. */
export function linkOf(invite: CreatedInvite): string {
  return `${location.origin}${location.pathname}#invite=${invite.token}`;
}

/** Creates an invitation link of the usual kind, and copies it. */
export async function copyInvitation(page: Page, room: string): Promise<void> {
  const expires = endOf(page.now(), usualLife);
  const created = await page.chat.value?.request("POST", `/rooms/${encodeURIComponent(room)}/invites`, {
    ...(expires && { expires }), maxUses: usualUses,
  });
  if (!created) return;
  try {
    await navigator.clipboard.writeText(linkOf(created));
    page.toast(`Invitation link copied. It lets ${usualUses} people in within 7 days.`);
  } catch {
    page.toast("The link could not be copied. Create one under People, Invite.");
  }
}
