// The actions that a person is offered, by the rules of internal/policy. The server decides again at each request. A
// test compares this module with the policy's table.
import type { DocumentInfo, RoomInfo } from "../api/types.js";
import { mayAdminister, ranks, type Rules, type Standing } from "./moderator.js";

/** Reports whether a person may change the room's settings, archive it and delete it. */
export function mayConfigure(role: Standing, room: Rules): boolean {
  return role === "owner" && room.kind !== "direct";
}

/** Reports whether a person who may administer a room may change another's role. */
export function mayChange(actor: Standing, from: Standing, to: Standing): boolean {
  if (actor === "owner") return true;
  return actor === "moderator" && ranks[from] < ranks.moderator && ranks[to] < ranks.moderator;
}

function mayPost(role: Standing, room: Rules): boolean {
  const least: Record<Rules["posting"], Standing> = { everyone: "", members: "member", moderators: "moderator" };
  return ranks[role] >= ranks[least[room.posting]];
}

/** Reports whether a person may pin messages, and remove pins. */
export function mayPin(role: Standing, room: Rules & Pick<RoomInfo, "pinning">): boolean {
  if (room.archived) return false;
  const least = room.kind === "direct" || room.pinning === "members" ? "member" : "moderator";
  return ranks[role] >= ranks[least];
}

type Permissions = Pick<DocumentInfo, "read" | "write">;

/** Reports whether a person who may read a document may save its parts. */
export function mayWrite(role: Standing, room: Rules, doc: Permissions): boolean {
  if (room.archived) return false;
  switch (doc.write ?? "room") {
    case "room": return mayPost(role, room);
    case "everyone": return ranks[role] >= ranks[""];
    case "members": return ranks[role] >= ranks.member;
    case "moderators": return ranks[role] >= ranks.moderator;
    case "owners": return role === "owner";
  }
  return false;
}

/** Reports whether a person who may read a document may set its title and permissions. */
export function mayAdministerDocument(role: Standing, room: Rules, doc: Permissions): boolean {
  return mayAdminister(role, room) && mayWrite(role, room, doc);
}

export type PersonAction =
  | "Write to" | "Mute" | "Unmute" | "Make moderator" | "Make member" | "Hand over the room"
  | "Block" | "Unblock" | "Remove" | "Ban";

/** A person in the list of members, as the caller sees them. */
export interface Seen {
  readonly role: Standing;
  readonly blocked: boolean;
}

/** Returns what the caller may do about another person, in the order of a menu. */
export function actionsFor(caller: Standing, room: Rules, other: Seen): PersonAction[] {
  const may = (to: Standing) => mayAdminister(caller, room) && mayChange(caller, other.role, to);
  const actions: PersonAction[] = ["Write to"];
  if (other.role === "muted" && may("member")) actions.push("Unmute");
  if (other.role !== "muted" && may("muted")) actions.push("Mute");
  if (other.role === "member" && may("moderator")) actions.push("Make moderator");
  if ((other.role === "moderator" || other.role === "owner") && may("member")) actions.push("Make member");
  if (mayConfigure(caller, room) && !room.archived && other.role !== "owner") actions.push("Hand over the room");
  actions.push(other.blocked ? "Unblock" : "Block");
  if (may("")) actions.push("Remove");
  if (may("banned")) actions.push("Ban");
  return actions;
}
