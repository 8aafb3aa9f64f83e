import type { People } from "@parley/client";
import { useState } from "preact/hooks";
import { config } from "./session.js";
import { hue, nameOf } from "./store.js";

/** Returns one or two letters for a name: "RC" for Rhianna Cohen, "B" for bob. */
export function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return letters.map(w => [...(w ?? "")][0] ?? "").join("").toUpperCase();
}

/**
 * A person's picture, or their initials on a colour of their own. It has no name: text beside it has.
 * A picture tells its host who reads what when, so it is loaded from the configured hosts only.
 */
export function Face({ user, people, online }: { user: string; people: People; online?: boolean }) {
  const [failed, setFailed] = useState<string>();
  const avatar = people[user]?.avatar;
  const shown = avatar !== failed && config.value?.avatarHosts?.some(host => avatar?.startsWith(`https://${host}/`));
  return (
    <span class={online ? "face on" : "face"} style={{ "--h": hue(user) }} aria-hidden="true">
      {shown ? <img src={avatar} alt="" loading="lazy" referrerpolicy="no-referrer" onError={() => setFailed(avatar)} /> : initials(nameOf(people, user))}
    </span>
  );
}
