// The dialogs of the list. Their code is loaded when the first of them is opened.
import { useLayoutEffect, useState } from "preact/hooks";
import Account from "../account/account.js";
import StatusDialog from "../account/status-dialog.js";
import { Invited } from "../navigation/invited.js";
import NotificationsDialog from "../notifications/settings.js";
import { Block } from "../people/block.js";
import { LeaveListed } from "../room-settings/leave.js";
import Browse from "../rooms/browse.js";
import Create from "../rooms/create.js";
import Find from "../rooms/find.js";
import { Forward } from "../rooms/forward.js";
import { MarkAll } from "../rooms/mark-all.js";
import SignOut from "../session/sign-out.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { Shortcuts } from "./shortcuts.js";

/** The picker for a new direct message: at the button that opened it, or in the middle if a key or a command did. */
function Direct({ onClose }: { onClose: () => void }) {
  const [anchor, setAnchor] = useState<Element | null>();
  // the focus is back from Opening
  useLayoutEffect(() => setAnchor(document.activeElement?.closest(".rooms [aria-haspopup=dialog]") ?? null), []);
  return anchor === undefined ? null : <Find direct anchor={anchor} onClose={onClose} />;
}

const parts = {
  find: Find, direct: Direct, create: Create, browse: Browse, leave: LeaveListed, keys: Shortcuts, forward: Forward,
  account: Account, block: Block, status: StatusDialog, "sign-out": SignOut,
  notifications: NotificationsDialog, invitation: Invited, read: MarkAll,
};

export default function Dialogs({ onClose }: { onClose: () => void }) {
  const { dialog } = usePage();
  const shown = useValue(dialog);
  const Part = shown && parts[shown];
  return Part && <Part onClose={onClose} />;
}
