// The actions on a person in a room. Some of them ask first.
import type { Room, RoomInfo } from "@parley/client";
import { useState } from "preact/hooks";
import { actionsFor, type PersonAction } from "../access/rights.js";
import { useApi } from "../api/load.js";
import { writeTo } from "../api/rooms.js";
import type { Member } from "../api/types.js";
import { type Page, usePage } from "../state/page.js";
import { durations, endOf } from "../ui/forms.js";
import type { MenuItem } from "../ui/menu.js";
import { Confirm, Sheet, FormBody, SelectField, TextField, useForm } from "../ui/parts.js";
import { askToBlock, setBlocked } from "./blocking.js";

/** The question before an action on a person. */
export interface Question {
  readonly action: "Mute" | "Ban" | "Remove" | "Hand over the room";
  readonly user: string;
  readonly name: string;
}

interface Subject {
  readonly member: Pick<Member, "user" | "role" | "room">;
  readonly name: string;
  readonly info: RoomInfo;
  /** Whether the caller has blocked the person. */
  readonly blocked: boolean;
}

/** The actions that concern no room. */
const personal: readonly PersonAction[] = ["Write to", "Block", "Unblock"];

/** Returns the menu of what one may do about a person in the room only. */
export function roomMenu(page: Page, s: Subject, ask: (q: Question) => void, done: () => void): MenuItem[] {
  return personMenu(page, s, ask, done, action => !personal.includes(action));
}

/** Returns the menu of a person. Its items act immediately, or ask first. */
export function personMenu(
  page: Page, s: Subject, ask: (q: Question) => void, done: () => void, wanted = (_: PersonAction) => true,
): MenuItem[] {
  const { user, role } = s.member;
  const actions = actionsFor(s.info.me?.role ?? "", s.info, { role, blocked: s.blocked });
  return actions.filter(wanted).map(action => ({
    label: action === "Write to" ? `Write to ${s.name}` : action,
    danger: action === "Ban" || action === "Remove",
    run: () => {
      if (action === "Mute" || action === "Ban" || action === "Remove" || action === "Hand over the room") {
        ask({ action, user, name: s.name });
      } else {
        void run(page, action, s).then(done).catch(page.toastError);
      }
    },
  }));
}

async function run(
  page: Page, action: Exclude<PersonAction, Question["action"]>, { member, name }: Subject,
): Promise<void> {
  const { user, room } = member;
  const { toast } = page;
  const setRole = async (role: "member" | "moderator") => page.chat.value?.request(
    "PUT", `/rooms/${encodeURIComponent(room)}/members/${encodeURIComponent(user)}`, { role });
  switch (action) {
    case "Write to":
      return writeTo(page, user);
    case "Block":
      return askToBlock(page, user, name);
    case "Unblock":
      return setBlocked(page, user, name, false);
    case "Unmute":
      await setRole("member");
      return toast(`${name} may write again.`);
    case "Make moderator":
      await setRole("moderator");
      return toast(`${name} is a moderator.`);
    case "Make member":
      await setRole("member");
      return toast(`${name} is a member.`);
  }
}

/** Asks before an action on a person. */
export function PersonDialog({ question, room, name, onDone, onClose }: {
  question: Question; room: Room; name: string; onDone: () => void; onClose: () => void;
}) {
  const { toast } = usePage();
  const { request } = useApi();
  const done = (text: string) => { toast(text); onDone(); };
  if (question.action === "Remove") {
    const remove = async () => {
      await request("DELETE", `/rooms/${encodeURIComponent(room.id)}/members/${encodeURIComponent(question.user)}`);
      done(`${question.name} was removed.`);
    };
    return (
      <Confirm
        title={`Remove ${question.name} from ${name}?`}
        text="They can come back if they find the room or are invited."
        action="Remove"
        onConfirm={remove}
        onClose={onClose}
      />
    );
  }
  if (question.action === "Hand over the room") {
    const handOver = async () => {
      await request("PUT", `/rooms/${encodeURIComponent(room.id)}/owner`, { user: question.user });
      done(`${question.name} owns the room now.`);
    };
    return (
      <Confirm
        title={`Hand ${name} over to ${question.name}?`}
        text="They become the owner, and you become a moderator. Only they can give it back."
        action="Hand over"
        onConfirm={handOver}
        onClose={onClose}
      />
    );
  }
  return <Restrict question={question} room={room} onDone={done} onClose={onClose} />;
}

/** The form of a mute or a ban, with its end and its reason. */
function Restrict({ question, room, onDone, onClose }: {
  question: Question; room: Room; onDone: (text: string) => void; onClose: () => void;
}) {
  const page = usePage();
  const { request } = useApi();
  const ban = question.action === "Ban";
  const [seconds, setSeconds] = useState(ban ? "0" : "3600");
  const [reason, setReason] = useState("");
  const form = useForm(["until", "reason"], async () => {
    const until = endOf(page.now(), seconds);
    await request("PUT", `/rooms/${encodeURIComponent(room.id)}/members/${encodeURIComponent(question.user)}`, {
      role: ban ? "banned" : "muted", ...(until && { until }), ...(reason.trim() && { reason: reason.trim() }),
    });
    onDone(ban ? `${question.name} was banned.` : `${question.name} was muted.`);
    onClose();
  });
  const title = `${question.action} ${question.name}`;
  return (
    <Sheet title={title} onClose={onClose}>
      <FormBody form={form} label={title} action={question.action} danger={ban} onCancel={onClose}>
        <p class="quiet">
          {ban
            ? "They cannot read, write or come back here until the ban ends."
            : "They can read but not write here until the mute ends."}
        </p>
        <SelectField
          form={form}
          name="until"
          label="For how long"
          value={seconds}
          choices={durations}
          onValue={setSeconds}
        />
        <TextField
          form={form}
          name="reason"
          label="Reason"
          hint={ban
            ? "Optional. Only moderators see it: the person sees that the room does not exist."
            : "Optional. Moderators and the person can read it."}
          value={reason}
          onValue={setReason}
        />
      </FormBody>
    </Sheet>
  );
}
