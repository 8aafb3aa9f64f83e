import type { People } from "@parley/client";
import { plainNameOf } from "../state/names.js";
import { usePage } from "../state/page.js";

/** More people than these are not named. */
const mostNames = 2;

/** The people who are typing. */
export function Typing({ typing, people }: { typing: readonly string[]; people: People }) {
  const page = usePage();
  const names = typing.map(user => plainNameOf(page, people, user));
  const text = names.length > mostNames ? "Several people are typing"
    : `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} typing`;
  return <><span class="dots" aria-hidden="true"><i /><i /><i /></span>{text}</>;
}
