// Joins a room by an invitation link: `#invite=<token>`.
import { RequestError } from "@parley/client";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";
import { Dialog } from "../ui/dialog.js";
import { Invites, ended, useInvitation } from "./invites.js";

/** Asks whether to use the invitation of the address: any page may lead a person there. */
export function Invited({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const token = useValue(page.invitation);
  const said = useInvitation(token);
  const join = () => {
    onClose();
    void accept(page, token);
  };
  return (
    <Dialog label="Join a room?" alert onClose={onClose}>
      <h2>Join a room?</h2>
      <p class="confirm-text">
        {said === null ? ended : (
          <>
            {said ? <Invites by={said} /> : "You opened an invitation link."} The people in the room see who joins,
            and can write to you.
          </>
        )}
      </p>
      <div class="acts">
        <button type="button" class="button plain" autofocus onClick={onClose}>Cancel</button>
        {said !== null && <button type="button" class="button" onClick={join}>Join</button>}
      </div>
    </Dialog>
  );
}

/** Uses an invitation, and shows its room. */
async function accept(page: Page, token: string): Promise<void> {
  const chat = page.chat.value;
  try {
    const joined = await chat?.request("POST", `/invites/${encodeURIComponent(token)}`);
    await chat?.rooms.reload();
    page.route.go(joined?.room, "", true);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) page.toast(ended);
    else page.toastError(error);
  }
}
