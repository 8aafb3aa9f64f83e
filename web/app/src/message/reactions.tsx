import type { Message } from "@parley/client";
import { useEffect, useId, useState } from "preact/hooks";
import type { Access } from "../access/access.js";
import { usePage } from "../state/page.js";
import { lazy } from "../ui/lazy.js";
import { toggle } from "./edits.js";

const Reacted = lazy(() => import("./reacted.js"));

/** The pointer rests this long on an emoji before it shows who chose it, in milliseconds. */
const rest = 250;

/** The reactions of a message with their counts. A click on the person's own removes it. */
export function Chips({ message, access }: { message: Message; access: Access }) {
  const page = usePage();
  const id = useId();
  const [at, setAt] = useState<{ emoji: string; anchor: HTMLElement } | null>(null);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    setShown(false);
    if (!at) return undefined;
    const timer = setTimeout(() => setShown(true), rest);
    return () => clearTimeout(timer);
  }, [at]);
  const chip = message.reactions?.find(r => r.emoji === at?.emoji);
  return (
    <div class="chips" role="group" aria-label="Reactions" onPointerLeave={() => setAt(null)}>
      {message.reactions?.map(({ emoji, count, me }) => (
        <button
          key={emoji}
          type="button"
          class="chip"
          tabIndex={-1}
          aria-pressed={!!me}
          aria-disabled={!!access.barred}
          aria-describedby={at?.emoji === emoji ? id : undefined}
          onPointerEnter={e => setAt(e.pointerType === "mouse" ? { emoji, anchor: e.currentTarget } : null)}
          onFocus={e => { if (e.currentTarget.matches(":focus-visible")) setAt({ emoji, anchor: e.currentTarget }); }}
          onBlur={() => setAt(null)}
          onClick={() => { if (!access.barred) toggle(page, message, emoji, !me); }}
        >
          <span>{emoji}</span> {count}
        </button>
      ))}
      {shown && at && chip && (
        <Reacted
          key={at.emoji}
          id={id}
          message={message}
          emoji={at.emoji}
          count={chip.count}
          mine={!!chip.me}
          anchor={at.anchor}
        />
      )}
    </div>
  );
}
