import type { Room } from "@parley/client";
import { useChanges, usePages } from "../api/load.js";
import type { MessageVersionPage } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { senderOf } from "../people/reports.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Changes } from "../ui/changes.js";
import { More, Shown, Time } from "../ui/parts.js";

/** The versions of a message, newest first, with the words that each edit changed. */
export function History({ room, message }: { room: Room; message: string }) {
  const page = usePage();
  const people = useCards(room, [senderOf(message)]);
  const pages = usePages<MessageVersionPage>(
    `/rooms/${encodeURIComponent(room.id)}/messages/${encodeURIComponent(message)}/versions`,
  );
  useChanges(room.id, ["message.edited", "message.deleted"], pages.reload);
  return (
    <Shown loaded={pages}>{value => {
      const versions = value.flatMap(p => p.items);
      if (versions.every(v => !v.text)) {
        return <p class="p-state">The message was deleted, and all its versions with it.</p>;
      }
      return (
        <>
          <ol class="p-versions" reversed>{versions.map((v, i) => (
            <li key={v.version} class="p-card">
              <p class="small quiet">
                {v.version === 1
                  ? "Original"
                  : `Version ${v.version}`}, <bdi>{nameOf(page, people, v.user)}</bdi>, <Time at={v.at} />
              </p>
              <Changes before={versions[i + 1]?.text} after={v.text} />
            </li>
          ))}</ol>
          <More pages={pages} what="versions" />
        </>
      );
    }}</Shown>
  );
}
