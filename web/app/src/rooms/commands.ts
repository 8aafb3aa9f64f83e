// The finder's commands, in addition to its rooms and people.
import { askToSignOut } from "../session/sign-out.js";
import type { Page } from "../state/page.js";
import { markAllRead } from "./reading.js";

export interface Command {
  readonly id: string;
  readonly name: string;
  run(page: Page): void;
}

export const commands: readonly Command[] = [
  { id: "browse", name: "Browse rooms", run: ({ dialog }) => { dialog.value = "browse"; } },
  {
    id: "create",
    name: "Create a room",
    run: ({ dialog, proposedName }) => { proposedName.value = ""; dialog.value = "create"; },
  },
  { id: "direct", name: "New direct message", run: ({ dialog }) => { dialog.value = "direct"; } },
  { id: "read", name: "Mark all as read", run: page => void markAllRead(page) },
  { id: "search", name: "Search messages", run: ({ panel }) => { panel.value = "search"; } },
  { id: "activity", name: "Activity: mentions, threads, additions", run: ({ panel }) => { panel.value = "activity"; } },
  { id: "threads", name: "Threads", run: ({ panel }) => { panel.value = "threads"; } },
  { id: "saved", name: "Saved messages", run: ({ panel }) => { panel.value = "saved"; } },
  { id: "status", name: "Your status", run: ({ dialog }) => { dialog.value = "status"; } },
  { id: "account", name: "Profile and preferences", run: ({ dialog }) => { dialog.value = "account"; } },
  { id: "keys", name: "Keyboard shortcuts", run: ({ dialog }) => { dialog.value = "keys"; } },
  { id: "out", name: "Sign out", run: page => void askToSignOut(page) },
];
