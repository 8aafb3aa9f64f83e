import type { Room } from "@parley/client";
import { useState } from "preact/hooks";
import { useApi, usePages } from "../api/load.js";
import type { Part, PartVersionPage } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { Changes } from "../ui/changes.js";
import { Check, More, Plain, Shown, Time } from "../ui/parts.js";
import { partPath } from "./path.js";

/** The versions of a part, newest first. One is shown at a time, with or without its changes marked. */
export function Versions({ room, doc, part, writes, onRestored }: {
  room: Room; doc: string; part: Part; writes: boolean; onRestored: () => void;
}) {
  const page = usePage();
  const { request, attempt } = useApi();
  const [open, setOpen] = useState(0);
  const [marked, setMarked] = useState(false);
  const path = partPath(room, doc, part.part);
  const pages = usePages<PartVersionPage>(`${path}/versions`);
  const people = useCards(room, (pages.value ?? []).flatMap(p => p.items).map(v => v.savedBy));
  const restore = async (old: Part) => {
    await request("PUT", path, { text: old.text }, { "If-Match": `"${part.version}"` });
    page.toast(`Version ${old.version} is the newest again, as version ${part.version + 1}.`);
    onRestored();
  };
  return (
    <Shown loaded={pages}>{value => {
      const versions = value.flatMap(p => p.items);
      return (
        <>
          <Check label="Show what changed" checked={marked} onValue={setMarked} />
          <ol class="p-versions" reversed>{versions.map((v, i) => (
            <li key={v.version}>
              <button
                type="button"
                class="p-row"
                aria-expanded={open === v.version}
                onClick={() => setOpen(open === v.version ? 0 : v.version)}
              >
                <span>Version {v.version}</span>
                <span class="small quiet"><bdi>{nameOf(page, people, v.savedBy)}</bdi>, <Time at={v.savedAt} /></span>
              </button>
              {open === v.version && (
                <div class="p-old">
                  <Changes before={marked ? versions[i + 1]?.text : undefined} after={v.text} />
                  {writes && v.version < part.version && (
                    <div class="acts">
                      <Plain onClick={() => attempt(() => restore(v))}>Restore version {v.version}</Plain>
                    </div>
                  )}
                </div>
              )}
            </li>
          ))}</ol>
          <More pages={pages} what="versions" />
        </>
      );
    }}</Shown>
  );
}
