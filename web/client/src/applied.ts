// What messages look like with what the person did with them. It is pure.
import { reacted, voted } from "./timeline.js";
import type { Act, Message, Read, StoredMessage, Unsent } from "./types.js";

/** An act on a message. */
export type Deed = Exclude<Act, Unsent | Read>;

/** Returns a message as an act leaves it. Counted says that the counts lack the act. */
export function applied(m: StoredMessage, act: Deed, counted = !act.tried): StoredMessage {
  if (m.deletedAt) return m;
  switch (act.kind) {
    case "edit": return { ...m, text: act.text };
    case "reaction": return reacted(m, act.emoji, act.on, counted);
    case "vote": return voted(m, act.choices, counted);
    case "deletion": {
      const { quote: _, poll: __, reactions: ___, editedAt: ____, attachments: _____, ...rest } = m;
      return { ...rest, text: "", deletedAt: m.receivedAt };
    }
    default: return m;
  }
}

/** Returns a message with the acts that wait for it. Those that were refused do not show. */
export function withActs(m: StoredMessage, acts: readonly Deed[] = []): Message {
  return acts.length ? { ...acts.filter(a => !a.error).reduce((m, a) => applied(m, a), m), acts } : m;
}
