import { config } from "../session/session.js";

/**
 * A person's picture, which covers their initials, if it can be loaded from a configured host. It tells
 * that host who reads what when, so no other host is asked.
 */
export default function Picture({ src = "" }: { src: string | undefined }) {
  const allowed = config.value?.avatarHosts?.some(host => src.startsWith(`https://${host}/`));
  return allowed ? <img key={src} src={src} alt="" loading="lazy" referrerpolicy="no-referrer" onError={e => { e.currentTarget.hidden = true; }} /> : null;
}
