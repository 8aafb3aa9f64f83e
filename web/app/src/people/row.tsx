import type { People } from "@parley/client";
import type { ComponentChildren } from "preact";
import { Face } from "./face.js";
import { StatusMark } from "./status.js";

/** A person in a list: picture, name, details, and buttons. */
export function PersonRow({ user, name, cards, online = false, note = "", about, children }: {
  user: string; name: string; cards: People; online?: boolean; note?: string;
  about?: ComponentChildren; children?: ComponentChildren;
}) {
  return (
    <li class="p-person">
      <Face user={user} people={cards} online={online} opens />
      <div class="p-name">
        <div class="p-line">
          <button type="button" dir="auto" data-person={user}><span class="cut">{name}</span></button>
          <StatusMark user={user} people={cards} />
          <span class="quiet">{note}</span>
          {online && <span class="unseen">, online</span>}
        </div>
        {about && <div class="small quiet">{about}</div>}
      </div>
      {children}
    </li>
  );
}
