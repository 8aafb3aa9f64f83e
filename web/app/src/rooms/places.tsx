// The public rooms by place: country, region, state, county, city, neighborhood.
import type { Room } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { usePages } from "../api/load.js";
import type { RoomPage } from "../api/types.js";
import { href } from "../state/route.js";
import { Icon } from "../ui/icons.js";
import { More, Shown } from "../ui/parts.js";
import { levelsOf } from "./levels.js";

export function Places({ room, onClose }: { room: Room; onClose: () => void }) {
  const [place, setPlace] = useState<readonly string[]>([]);
  const moved = useRef(false);
  const here = useRef<HTMLHeadingElement>(null);
  const go = (to: readonly string[]) => { moved.current = true; setPlace(to); };
  // The button that was pressed is gone: the focus goes to the name of the place.
  useEffect(() => { if (moved.current) here.current?.focus(); }, [place]);
  const path = place.length ? `/rooms?${new URLSearchParams({ place: place.join("/") })}` : "/rooms";
  return (
    <>
      {place.length > 0 && (
        <nav aria-label="Places above" class="p-crumbs">
          <button type="button" onClick={() => go([])}>All places</button>
          {place.slice(0, -1).map((level, i) => (
            <button key={i} type="button" dir="auto" onClick={() => go(place.slice(0, i + 1))}>{level}</button>
          ))}
        </nav>
      )}
      <h3 ref={here} tabIndex={-1} dir="auto">{place.at(-1) ?? "All places"}</h3>
      <Listing key={path} path={path} place={place} current={room.id} onPlace={go} onClose={onClose} />
    </>
  );
}

function Listing({ path, place, current, onPlace, onClose }: {
  path: string; place: readonly string[]; current: string; onPlace: (p: readonly string[]) => void; onClose: () => void;
}) {
  const pages = usePages<RoomPage>(path);
  return (
    <Shown loaded={pages}>{value => {
      const { here, below } = levelsOf(value.flatMap(p => p.items), place);
      return (
        <>
          <ul>{below.map(l => (
            <li key={l.name}>
              <button type="button" class="p-row" onClick={() => onPlace([...place, l.name])}>
                <bdi class="cut">{l.name}</bdi>
                <span class="quiet small">{l.rooms === 1 ? "1 room" : `${l.rooms} rooms`}</span>
              </button>
            </li>
          ))}</ul>
          <ul>{here.map(r => (
            <li key={r.id}>
              <a class="p-row" href={href(r.id)} aria-current={r.id === current ? "page" : undefined} onClick={onClose}>
                <Icon name="hash" />
                <span class="p-name">
                  <bdi class="cut">{r.name}</bdi>
                  {r.topic && <span class="small quiet cut" dir="auto">{r.topic}</span>}
                </span>
              </a>
            </li>
          ))}</ul>
          {!here.length && !below.length && <p class="p-state">No public rooms here.</p>}
          <More pages={pages} what="rooms" />
        </>
      );
    }}</Shown>
  );
}
