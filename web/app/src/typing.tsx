import type { Room } from "@parley/client";
import { nameOf, useValue } from "./store.js";

/** More people than these are not named. */
const mostNames = 2;

/** Who types now. The line always has its place, so that nothing moves. */
export function Typing({ room }: { room: Room }) {
  const { typing, people } = useValue(room);
  const names = typing.map(user => nameOf(people, user));
  const text = names.length > mostNames ? "Several people are typing"
    : names.length > 0 ? `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} typing` : "";
  return <div class="typing" dir="auto">{text && <><span class="dots" aria-hidden="true"><i /><i /><i /></span>{text}</>}</div>;
}
