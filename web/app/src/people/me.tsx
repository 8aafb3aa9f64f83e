// The person who is signed in, at the foot of the list of rooms.
import type { State } from "@parley/client";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Icon } from "../ui/icons.js";
import { Face } from "./face.js";
import { statusWords, useOwnStatus } from "./status.js";

/** The states of the connection in words; others are the status, or "Online". */
const stateNames: { [is in State]?: string } = { connecting: "Connecting…", offline: "Offline" };

/** Two buttons: one opens the profile and preferences, the other sets the status. */
export function Me() {
  const page = usePage();
  const { dialog } = page;
  const user = useValue(page.me);
  const now = useValue(page.connection);
  const status = useOwnStatus();
  const words = status && statusWords(status, new Date(page.now()));
  return (
    <div class="own">
      <button type="button" class="me" aria-haspopup="dialog" onClick={() => (dialog.value = "account")}>
        <Face user={user} people={page.chat.value?.rooms.people ?? {}} online={now === "online"} />
        <span class="cut">
          <b class="cut" dir="auto">{nameOf(page, {}, user)}</b>
          <span class="small quiet" dir="auto">{stateNames[now] ?? (words || "Online")}</span>
        </span>
      </button>
      <button
        type="button"
        class="icon"
        aria-haspopup="dialog"
        aria-label="Your status"
        title={words || "Your status"}
        onClick={() => (dialog.value = "status")}
      >
        {status?.emoji ?? <Icon name="smile" />}
      </button>
    </div>
  );
}
