// The lines of a room: messages in which nobody speaks, but that report what happened in it.
import type { Message, Room } from "@parley/client";
import type { ComponentChild } from "preact";
import { useEffect } from "preact/hooks";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { clockTime, fullTime, withoutHalf } from "../ui/dates.js";
import { linkTo } from "./actions.js";

export interface LineProps { readonly room: Room; readonly message: Message; readonly lit: boolean }

/** A line in words. People open their profiles, and the time is the line's link. */
export default function System({ room, message, lit }: LineProps) {
  const { id, user, system, receivedAt } = message;
  const page = usePage();
  const { people } = room.value;
  const about = system?.people ?? [];
  useEffect(() => { for (const one of [user, ...about]) page.chat.value?.people.need(one); }, [message]);
  const person = (one: string) => (
    <b key={one} dir="auto" role="button" tabIndex={-1} data-person={one}>{nameOf(page, people, one)}</b>
  );
  return (
    <article
      class={lit ? "row line lit" : "row line"}
      data-id={id}
      tabIndex={-1}
      aria-label={`Line of the room, ${clockTime(receivedAt)}`}
      aria-describedby={`line-${id}`}
    >
      <a class="aside" href={linkTo(message)} tabIndex={-1} title={fullTime(receivedAt)}>
        {withoutHalf(clockTime(receivedAt))}
      </a>
      <div class="main small quiet" id={`line-${id}`}>
        {wordsOf(message, person(user), listed([...about.map(person), ...(system?.more ? ["others"] : [])]))}
      </div>
    </article>
  );
}

/** Returns a list of people as in a sentence. */
const listed = (all: readonly ComponentChild[]): ComponentChild =>
  all.flatMap((one, i) => (i === 0 ? [one] : [i === all.length - 1 ? " and " : ", ", one]));

function wordsOf({ system, text, deletedAt }: Message, by: ComponentChild, people: ComponentChild): ComponentChild {
  if (deletedAt) return "Line deleted";
  const value = <bdi>{system?.value}</bdi>;
  switch (system?.event) {
    case "joined": return <>{people} joined</>;
    case "left": return <>{people} left</>;
    case "added": return <>{by} added {people}</>;
    case "removed": return <>{by} removed {people}</>;
    case "renamed": return <>{by} renamed the room to {value}</>;
    case "topic": return system.value ? <>{by} set the topic: {value}</> : <>{by} removed the topic</>;
    case "archived": return <>{by} archived the room</>;
    case "unarchived": return <>{by} reopened the room</>;
    default: return text;
  }
}
