// The caller's rights in a room, by the server's policy: the page offers nothing else.
import type { RoomInfo } from "@parley/client";

export interface Access {
  /** Why the caller may not write here; empty if they may. */
  readonly barred: string;
  readonly moderates: boolean;
  readonly archived: boolean;
  /** Whether the caller is in the room, and so has a read marker. */
  readonly member: boolean;
}

export function accessOf(info: RoomInfo | undefined): Access {
  const role = info?.me?.role;
  const moderates = role === "owner" || role === "moderator";
  return {
    barred: info ? barred(info, moderates) : "",
    moderates,
    archived: info?.archived === true,
    member: role !== undefined,
  };
}

function barred(info: RoomInfo, moderates: boolean): string {
  const role = info.me?.role;
  if (info.archived) return "This room is archived.";
  if (role === "muted") return "You are muted in this room.";
  if (info.posting === "moderators" && !moderates) return "Only moderators write here.";
  if (info.posting === "members" && !role) return "Only members write here.";
  return "";
}
