// Says that a text mentions people who cannot read the room, and offers to add them.
import type { Room } from "@parley/client";
import { mayAdminister } from "../access/moderator.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { focusComposer } from "../ui/focus.js";
import type { Completion } from "./completion.js";
import { type Mentioned, outsideWords } from "./mentions.js";

export default function Outside({ room, people, completion }: {
  room: Room; people: readonly Mentioned[]; completion: { readonly current: Completion | undefined };
}) {
  const page = usePage();
  const { info } = useValue(room);
  const names = people.length === 1 ? people[0]!.name : "them";
  const add = () => {
    focusComposer(); // the button goes
    completion.current?.add(people).then(
      () => page.toast(`${people.length === 1 ? names : `${people.length} people`} can read this room now.`),
      page.toastError,
    );
  };
  return (
    <>
      <span class="about cut alert" role="status" dir="auto">{outsideWords(people)}</span>
      {info && mayAdminister(info.me?.role ?? "", info) && (
        <button type="button" class="link" aria-label={`Add ${names} to the room`} onClick={add}>Add</button>
      )}
    </>
  );
}
