import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { Confirm } from "../ui/parts.js";
import { markAllRead } from "./reading.js";

/** Asks before everything is marked as read by a key, which may be pressed by mistake. */
export function MarkAll({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const { unread } = useValue(page.list);
  // without any, threads may be
  const messages = !unread ? "" : unread === 1 ? "1 message is unread. " : `${unread} messages are unread. `;
  return (
    <Confirm title="Mark everything as read?" text={`${messages}This cannot be undone.`} action="Mark as read"
      onConfirm={() => markAllRead(page)} onClose={onClose} />
  );
}
