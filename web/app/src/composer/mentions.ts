// What a text mentions. It is pure.
import type { Extras } from "@parley/client";

/** A person whom a text may mention. Without a user id it is everyone in the room. */
export interface Mentioned { readonly user: string; readonly name: string }

/** A name after an @, which may have a space in it, up to the end of a text. */
const asked = /(?:^|[\s(])@([^\s@]*(?: [^\s@]+)?)$/u;

/** The most mentions that the server accepts. */
const mostMentions = 20;

/** Returns what follows the @ at the end of a text; null if nothing is asked for there. */
export const queryOf = (before: string): string | null => asked.exec(before)?.[1] ?? null;

/** Returns the mentions of a text: the chosen names that it still contains. */
export function mentionsIn(text: string, chosen: readonly Mentioned[]): Pick<Extras, "mentions" | "mentionRoom"> {
  const there = chosen.filter(({ name }) => text.includes(`@${name}`));
  const mentions = [...new Set(there.map(m => m.user).filter(Boolean))].slice(0, mostMentions);
  return { ...(mentions.length && { mentions }), ...(there.some(m => !m.user) && { mentionRoom: true }) };
}
