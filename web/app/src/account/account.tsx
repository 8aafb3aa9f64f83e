import { BlockedPeople } from "../people/block.js";
import { statusWords, useOwnStatus } from "../people/status.js";
import { askToSignOut } from "../session/sign-out.js";
import { isShared } from "../session/tokens.js";
import { usePage } from "../state/page.js";
import { IconButton } from "../ui/icons.js";
import { Plain, Sheet } from "../ui/parts.js";
import { Appearance } from "./appearance.js";
import { ProfileForm } from "./profile-form.js";

/** The person's profile, status and appearance of the page, the people they have blocked, and the sign-out. */
export default function Account({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const { dialog, me } = page;
  const status = useOwnStatus();
  return (
    <Sheet title="Profile and preferences" onClose={onClose}>
      <div class="shut"><IconButton name="close" label="Close" onClick={onClose} /></div>
      <div class="p-bar">
        <p class="small quiet" dir="auto">
          {status
            ? `${status.emoji ?? ""} ${statusWords(status, new Date(page.now()))}`
            : <>Your user id is <code>{me.value}</code>.</>}
        </p>
        <Plain onClick={() => { dialog.value = "status"; }}>{status ? "Change status" : "Set a status"}</Plain>
      </div>
      <ProfileForm onClose={onClose} />
      <Appearance />
      <section class="p-section" aria-label="Notifications">
        <Plain onClick={() => { dialog.value = "notifications"; }}>Notifications</Plain>
      </section>
      <BlockedPeople />
      <section class="p-section" aria-label="Session">
        <p class="small quiet">
          {isShared()
            ? "All tabs of this browser are signed in as you, and are signed out together."
            : "Only this window is signed in as you."}
        </p>
        <button type="button" class="button plain" onClick={() => void askToSignOut(page)}>Sign out</button>
      </section>
    </Sheet>
  );
}
