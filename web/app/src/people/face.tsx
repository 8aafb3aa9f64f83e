import type { People } from "@parley/client";
import { useValue } from "../state/cell.js";
import { cardOf, hue, nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { lazy } from "../ui/lazy.js";

const Uploaded = lazy(() => import("./uploaded.js"));

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

/** A person's picture, or their initials on the person's colour. An uploaded picture comes before one of a host. It has no accessible name: the text next to it does. */
export function Face({ user, people, name, online, opens }: FaceProps) {
  const page = usePage();
  useValue(page.card); // one's own
  const { avatar, picture } = cardOf(page, people, user) ?? {};
  return (
    <span class={online ? "face on" : "face"} style={{ "--h": hue(user) }} aria-hidden="true" {...(opens && { "data-person": user })}>
      {initials(name ?? nameOf(page, people, user))}
      {picture ? <Uploaded key={picture} user={user} picture={picture} /> : page.config.value?.avatarHosts && <Picture src={avatar} />}
    </span>
  );
}

/**
 * A person's picture, which covers their initials once it is loaded from a configured host. That host
 * learns who reads what when, so no other host is requested.
 */
function Picture({ src = "" }: { src: string | undefined }) {
  const { config } = usePage();
  const allowed = config.value?.avatarHosts?.some(host => src.startsWith(`https://${host}/`));
  return allowed ? <img key={src} src={src} alt="" loading="lazy" referrerpolicy="no-referrer" onLoad={e => e.currentTarget.classList.add("loaded")} /> : null;
}
