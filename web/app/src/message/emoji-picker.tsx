// Chooses an emoji for a message: a field that finds them by their words, and the arrows.
import { useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { Dialog } from "../ui/dialog.js";
import { isEmoji } from "../ui/markup.js";
import { all, type Emoji } from "./emoji.js";
import { keepEmoji, recentEmoji, toggle } from "./react.js";

/** The emoji in a row of the grid. */
const columns = 8;

/** Returns the emoji that match each word of a text, the recent ones first. An emoji matches itself. */
function matching(text: string): readonly Emoji[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (isEmoji(text)) return [{ emoji: text.trim(), words: "" }];
  const known = new Map(all.map(e => [e.emoji, e]));
  const last = recentEmoji().map(emoji => known.get(emoji) ?? { emoji, words: "" });
  const ordered = [...last, ...all.filter(e => !last.some(l => l.emoji === e.emoji))];
  return ordered.filter(e => words.every(w => ` ${e.words}`.includes(` ${w}`)));
}

export default function Picker() {
  const page = usePage();
  const message = useValue(page.reactingTo);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = matching(text);
  const active = Math.max(0, Math.min(at, found.length - 1));
  if (!message) return null;
  const close = () => { page.reactingTo.value = null; };
  const choose = (emoji: string | undefined) => {
    if (!emoji) return;
    close();
    keepEmoji(emoji);
    toggle(page, message, emoji, true);
  };
  const step = (n: number) => setAt(Math.max(0, Math.min(active + n, found.length - 1)));
  const keys: Record<string, () => void> = {
    ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowDown: () => step(columns), ArrowUp: () => step(-columns),
    Enter: () => choose(found[active]?.emoji),
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const act = keys[e.key];
    if (!act || e.isComposing) return;
    e.preventDefault();
    act();
  };
  return (
    <Dialog label="React" class="picker" onClose={close}>
      <input class="p-search" role="combobox" aria-label="Find an emoji" aria-expanded="true" aria-controls="emoji" aria-autocomplete="list"
        aria-activedescendant={found.length ? `emoji-${active}` : undefined} autofocus autocomplete="off" spellcheck={false} placeholder="Find an emoji"
        value={text} onInput={e => { setText(e.currentTarget.value); setAt(0); }} onKeyDown={onKeyDown} />
      <ul id="emoji" role="listbox" aria-label="Emoji" tabIndex={-1}>
        {found.map((e, i) => (
          <li key={e.emoji} id={`emoji-${i}`} role="option" aria-selected={i === active} aria-label={e.words || e.emoji} title={e.words}
            class={i === active ? "active" : ""} onPointerMove={() => setAt(i)} onClick={() => choose(e.emoji)}>{e.emoji}</li>
        ))}
      </ul>
      {found.length === 0 && <p class="quiet small" role="status">No emoji was found. Any other can be typed or pasted here.</p>}
    </Dialog>
  );
}
