// The actions that join, leave, archive, reopen and delete a room.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useApi } from "../api/load.js";
import { join } from "../api/rooms.js";
import type { RoomInfo } from "../api/types.js";
import { usePage } from "../state/page.js";
import { FormBody, Plain, Sheet, TextField, useForm } from "../ui/parts.js";
import { goElsewhere, LeaveDialog } from "./leave.js";

/** What a role allows other than writing. */
const powers: Record<string, string> = {
  owner: "You own this room: you change its settings, and may delete anyone's messages.",
  moderator: "You moderate this room: you may delete anyone's messages, and mute, ban and remove people.",
};

export function Membership({ info, name, onChanged, onClose }: {
  info: RoomInfo; name: string; onChanged: () => void; onClose: () => void;
}) {
  const page = usePage();
  const [leaving, setLeaving] = useState(false);
  const form = useForm([], async () => {
    await join(page, info.id);
    page.toast(`You are a member of ${name}.`);
    await page.chat.value?.rooms.reload();
    onChanged();
  });
  return (
    <section class="p-section" aria-label="Membership">
      <h3>Membership</h3>
      {info.kind === "room" && powers[info.me?.role ?? ""] && <p class="small quiet">{powers[info.me?.role ?? ""]}</p>}
      {!info.me && <FormBody form={form} label="Join the room" action="Join the room">{null}</FormBody>}
      <div class="acts">
        {info.me && (
          <Plain onClick={() => setLeaving(true)}>Leave the {info.kind === "direct" ? "conversation" : "room"}</Plain>
        )}
        {info.visibility === "public" && (
          <Plain onClick={() => (page.panel.value = "places")}>Public rooms by place</Plain>
        )}
      </div>
      {leaving && <LeaveDialog room={{ ...info, name }} onLeft={onClose} onClose={() => setLeaving(false)} />}
    </section>
  );
}

export function Archive({ info, name, onChanged }: { info: RoomInfo; name: string; onChanged: () => void }) {
  const { toast } = usePage();
  const { request } = useApi();
  const [confirming, setConfirming] = useState(false);
  const set = async (archived: boolean) => {
    await request("PATCH", `/rooms/${encodeURIComponent(info.id)}`, { archived });
    toast(archived ? "The room is archived." : "The room is open again.");
    onChanged();
  };
  const reopen = useForm([], () => set(false));
  return (
    <section class="p-section" aria-label="Archive">
      <h3>Archive</h3>
      <p class="small quiet">
        Nobody can write here until you reopen the room.{!info.archived && (
          info.visibility === "private" ? " Its people can still read it." : " Everyone can still read it."
        )}
      </p>
      {info.archived ? <FormBody form={reopen} label="Archive" action="Reopen the room" plain>{null}</FormBody>
        : <div class="acts"><Plain onClick={() => setConfirming(true)}>Archive the room</Plain></div>}
      {confirming && (
        <TypedConfirm
          title={`Archive ${name}?`}
          name={name}
          action="Archive"
          onConfirm={() => set(true)}
          onClose={() => setConfirming(false)}
        >
          <p>
            Nobody can write here until an owner reopens the room. It leaves the lists of its people for the section
            Archived.
          </p>
        </TypedConfirm>
      )}
    </section>
  );
}

export function Delete({ info, name, onClose }: { info: RoomInfo; name: string; onClose: () => void }) {
  const page = usePage();
  const { request } = useApi();
  const [confirming, setConfirming] = useState(false);
  const remove = async () => {
    await request("DELETE", `/rooms/${encodeURIComponent(info.id)}`);
    page.toast(`${name} was deleted.`);
    onClose();
    await goElsewhere(page, info.id);
  };
  return (
    <section class="p-section" aria-label="Delete">
      <h3>Delete</h3>
      <p class="small quiet">Deletes the room, its messages and its documents for everyone, for good.</p>
      <div class="acts">
        <button type="button" class="button danger" onClick={() => setConfirming(true)}>Delete the room</button>
      </div>
      {confirming && (
        <TypedConfirm
          title={`Delete ${name}?`}
          name={name}
          action="Delete for good"
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <p>This cannot be undone, and no other room can ever have the id {info.id}.</p>
        </TypedConfirm>
      )}
    </section>
  );
}

/** A question that is answered by typing the room's name. */
function TypedConfirm({ title, name, action, onConfirm, onClose, children }: {
  title: string; name: string; action: string; onConfirm: () => Promise<unknown>;
  onClose: () => void; children: ComponentChildren;
}) {
  const [typed, setTyped] = useState("");
  const form = useForm(["name"], async () => { await onConfirm(); onClose(); });
  return (
    <Sheet title={title} alert onClose={onClose}>
      <FormBody
        form={form}
        label={title}
        action={action}
        danger
        ready={typed.trim() === name.trim()}
        onCancel={onClose}
      >
        {children}
        <TextField
          form={form}
          name="name"
          label={`Type ${name} to confirm`}
          value={typed}
          onValue={setTyped}
          autofocus
        />
      </FormBody>
    </Sheet>
  );
}
