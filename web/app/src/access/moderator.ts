// The moderators' rights that the first paint needs. Other rights are in rights.ts.
import type { Role, RoomInfo } from "../api/types.js";

/** A role, or "" for a person who is not in the room. */
export type Standing = Role | "";

/** The roles from the least to the most trusted, as in internal/policy. */
export const ranks: Record<Standing, number> = { banned: 0, muted: 1, "": 2, member: 3, moderator: 4, owner: 5 };

export type Rules = Pick<RoomInfo, "archived" | "kind" | "posting">;

/** Reports whether a person may invite, remove, mute and ban, and resolve reports. */
export function mayAdminister(role: Standing, room: Rules): boolean {
  return maySeeReports(role, room) && !room.archived;
}

/** Reports whether a person may list bans and reports, which an archived room allows too. */
export function maySeeReports(role: Standing, room: Rules): boolean {
  return ranks[role] >= ranks.moderator && room.kind !== "direct";
}
