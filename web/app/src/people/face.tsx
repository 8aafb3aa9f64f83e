import type { People } from "@parley/client";
import { useValue } from "../state/cell.js";
import { cardOf, hue, plainNameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { lazy } from "../ui/lazy.js";

const Portrait = lazy(() => import("./portrait.js"));

/** Returns one or two letters for a name: "RC" for Rhianna Cohen, "B" for bob and |bob|. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}][^\s._-]*/gu) ?? [name];
  return words.filter((_, i) => !i || !words[i + 1]).map(w => [...w][0]).join("").toUpperCase();
}

interface FaceProps {
  readonly user: string;
  readonly people: People;
  /** What the person is called, if people may not say it. */
  readonly name?: string | undefined;
  readonly online?: boolean;
  /** Whether it opens the person's profile. */
  readonly opens?: boolean;
}

/**
 * A person's picture, or their initials on the person's colour. It has no accessible name: the text
 * next to it does.
 */
export function Face({ user, people, name, online, opens }: FaceProps) {
  const page = usePage();
  useValue(page.card); // one's own
  const card = cardOf(page, people, user);
  return (
    <span
      class={online ? "face on" : "face"}
      style={{ "--h": hue(user) }}
      aria-hidden="true"
      {...(opens && { "data-person": user })}
    >
      {initials(name ?? plainNameOf(page, people, user))}
      {card && (card.picture || (card.avatar && page.config.value?.avatarHosts)) && (
        <Portrait user={user} card={card} />
      )}
    </span>
  );
}
