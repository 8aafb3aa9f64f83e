import type { People } from "@parley/client";
import { nameOf } from "../state/names.js";

/** More people than these are not named. */
const mostNames = 2;

/** Who types now. */
export function Typing({ typing, people }: { typing: readonly string[]; people: People }) {
  const names = typing.map(user => nameOf(people, user));
  const text = names.length > mostNames ? "Several people are typing"
    : `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} typing`;
  return <><span class="dots" aria-hidden="true"><i /><i /><i /></span>{text}</>;
}
