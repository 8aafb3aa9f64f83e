import type { Room } from "@parley/client";
import { useState } from "preact/hooks";
import { useApi } from "../api/load.js";
import { askToBlock } from "../people/blocking.js";
import { useCards } from "../people/cards.js";
import { Quoted, senderOf } from "../people/reports.js";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { FormBody, Plain, TextField, useForm } from "../ui/parts.js";

/** A report of a message to the room's moderators. */
export function ReportMessage({ room, name, message, onClose }: {
  room: Room; name: string; message: string; onClose: () => void;
}) {
  const page = usePage();
  const { request } = useApi();
  const people = useCards(room, [senderOf(message)]);
  const [reason, setReason] = useState("");
  const [sent, setSent] = useState(false);
  const form = useForm(["reason"], async () => {
    await request("POST", `/rooms/${encodeURIComponent(room.id)}/messages/${encodeURIComponent(message)}/reports`, {
      reason: reason.trim(),
    });
    setSent(true);
  });
  const hidden = useValue(page.blocked);
  const user = senderOf(message);
  const sender = nameOf(page, people, user);
  return (
    <>
      <Quoted room={room} message={message} people={people} />
      {sent ? (
        <div class="p-form">
          <p role="status">Thank you. The moderators of {name} see your report.</p>
          <div class="acts">
            {user !== page.me.value && !hidden.has(user) && (
              <Plain onClick={() => askToBlock(page, user, sender)}>Block {sender}</Plain>
            )}
            <button type="button" class="button" onClick={onClose}>Done</button>
          </div>
        </div>
      ) : (
        <FormBody form={form} label="Report this message" action="Report" onCancel={onClose}>
          <TextField
            form={form}
            name="reason"
            label="Reason"
            hint="The moderators see it, with your name."
            rows={4}
            autofocus
            value={reason}
            onValue={setReason}
          />
        </FormBody>
      )}
    </>
  );
}
