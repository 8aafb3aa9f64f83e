// Chooses an emoji: by its words, from the recent ones, or from a group, in a skin tone.
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../ui/dialog.js";
import { hasKeys } from "../ui/focus.js";
import type { Anchor } from "../ui/place.js";
import { isEmoji } from "../ui/markup.js";
import { all as known, byWords, type Emoji, groups, popular, tones, withTone } from "./emoji.js";
import { keepEmoji, recentEmoji } from "./recent-emoji.js";

/** The emoji above the groups: two rows of a wide page. */
const mostOften = 16;
/** Returns how many emoji a row of the grid has. */
const columns = (): number =>
  getComputedStyle(document.querySelector("#emoji ul")!).gridTemplateColumns.split(" ").length;
/** The most emoji that a search shows. */
const mostFound = 96;
/** Where the browser keeps the skin tone. */
const toneKey = "parley.tone";
const toneNames = ["Default", "Light", "Medium light", "Medium", "Medium dark", "Dark"];

/** An emoji as it is shown and chosen, and what it is called. */
interface Choice { readonly emoji: string; readonly name: string }

interface Section { readonly title: string; readonly choices: readonly Choice[] }

const byEmoji = new Map(known.map(e => [e.emoji, e]));

/** Returns what a text finds. An emoji finds itself. Without a text it is the recent or popular emoji and a group. */
function sectionsFor(text: string, group: number, tone: string): readonly Section[] {
  if (isEmoji(text)) return [{ title: "", choices: [{ emoji: text.trim(), name: text.trim() }] }];
  const choice = (e: Emoji): Choice => ({ emoji: withTone(e, tone), name: e.codes.join(", ").replaceAll("_", " ") });
  if (text.trim()) return [{ title: "", choices: byWords(text).slice(0, mostFound).map(choice) }];
  const { name = "", emoji = [] } = groups[group] ?? {};
  const often = [...new Set([...recentEmoji(), ...popular])]
    .slice(0, mostOften)
    .map(e => byEmoji.has(e) ? { ...choice(byEmoji.get(e)!), emoji: e } : { emoji: e, name: e });
  return [{ title: "Often used", choices: often }, { title: name, choices: emoji.map(choice) }];
}

/** Returns what the emoji for a message are chosen at: its button, or the message if a key or the menu opens them. */
function anchorOf(id: string): Anchor | undefined {
  const focused = document.activeElement?.closest("article");
  const row = focused?.dataset["id"] === id
    ? focused
    : [...document.querySelectorAll("article")].find(a => a.dataset["id"] === id);
  const button = row?.querySelector<HTMLElement>(".tools [title=React]");
  return button?.offsetParent ? button : row; // it shows while the pointer is over the message
}

/** The picker at an element, or at the message with an id. */
export default function Picker({ label, anchor, onChoose, onClose }: {
  label: string; anchor: Anchor | string | null | undefined; onChoose: (emoji: string) => void; onClose: () => void;
}) {
  const [place] = useState(() => (typeof anchor === "string" ? anchorOf(anchor) : anchor));
  const [text, setText] = useState("");
  const [group, setGroup] = useState(0);
  const [tone, setTone] = useState(localStorage.getItem(toneKey) ?? "");
  const [at, setAt] = useState(0);
  const sections = sectionsFor(text, group, tone);
  const all = sections.flatMap(s => s.choices);
  const active = Math.max(0, Math.min(at, all.length - 1));
  useEffect(() => document.getElementById(`emoji-${active}`)?.scrollIntoView({ block: "nearest" }), [active]);
  const choose = (emoji: string | undefined) => {
    if (!emoji) return;
    keepEmoji(emoji);
    onClose();
    onChoose(emoji);
  };
  const onKeyDown = keysOf(active, all.length, setAt, () => choose(all[active]?.emoji));
  const toGroup = (i: number) => {
    setGroup(i);
    setText("");
    setAt(0);
    document.getElementById("emoji")?.scrollTo(0, 0);
  };
  return (
    <Dialog label={label} class="picker" anchor={place} onClose={onClose}>
      <input
        class="p-search"
        role="combobox"
        aria-label="Find an emoji"
        aria-expanded="true"
        aria-controls="emoji"
        aria-autocomplete="list"
        aria-activedescendant={all.length ? `emoji-${active}` : undefined}
        autofocus={hasKeys()}
        autocomplete="off"
        spellcheck={false}
        placeholder="Find an emoji"
        value={text}
        onInput={e => { setText(e.currentTarget.value); setAt(0); }}
        onKeyDown={onKeyDown}
      />
      <Groups shown={text ? -1 : group} onGroup={toGroup} />
      <Sections sections={sections} active={active} onActive={setAt} onChoose={choose} />
      <Tones tone={tone} onTone={setTone} />
    </Dialog>
  );
}

/** Returns what the keys do: they go through the emoji of the grid, and choose the active one. */
function keysOf(active: number, count: number, go: (at: number) => void, choose: () => void) {
  const step = (n: number) => go(Math.max(0, Math.min(active + n, count - 1)));
  const keys: Record<string, () => void> = {
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    ArrowDown: () => step(columns()),
    ArrowUp: () => step(-columns()),
    Enter: choose,
  };
  return (e: KeyboardEvent) => {
    const act = keys[e.key];
    if (!act || e.isComposing) return;
    e.preventDefault();
    act();
  };
}

function Groups({ shown, onGroup }: { shown: number; onGroup: (i: number) => void }) {
  return (
    <div class="groups" role="group" aria-label="Groups">
      {groups.map((g, i) => (
        <button
          key={g.name}
          type="button"
          aria-label={g.name}
          title={g.name}
          aria-pressed={i === shown}
          onClick={() => onGroup(i)}
        >
          {g.emoji[0]?.emoji}
        </button>
      ))}
    </div>
  );
}

function Tones({ tone, onTone }: { tone: string; onTone: (tone: string) => void }) {
  const keepTone = (next: string) => {
    localStorage.setItem(toneKey, next);
    onTone(next);
  };
  return (
    <fieldset class="tones">
      <legend class="unseen">Skin tone</legend>
      {tones.map((t, i) => (
        <label key={t} title={toneNames[i]}>
          <input
            type="radio"
            name="tone"
            class="unseen"
            checked={t === tone}
            aria-label={toneNames[i]}
            onChange={() => keepTone(t)}
          />
          <span aria-hidden="true">{`✋${t}`}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Sections({ sections, active, onActive, onChoose }: {
  sections: readonly Section[]; active: number; onActive: (i: number) => void; onChoose: (emoji: string) => void;
}) {
  return (
    <div id="emoji" role="listbox" aria-label="Emoji" tabIndex={-1} autofocus={!hasKeys()}>
      {sections.map((s, n) => (
        <Grid
          key={s.title}
          section={s}
          from={n ? sections[0]!.choices.length : 0}
          active={active}
          onActive={onActive}
          onChoose={onChoose}
        />
      ))}
      {sections.every(s => !s.choices.length) && (
        <p class="quiet small" role="status">No emoji was found. Any other can be typed or pasted here.</p>
      )}
    </div>
  );
}

/** The emoji of a section, of which the first has the index from. */
function Grid({ section: { title, choices }, from, active, onActive, onChoose }: {
  section: Section; from: number; active: number; onActive: (at: number) => void; onChoose: (emoji: string) => void;
}) {
  return (
    <div role="group" aria-label={title || "Found"}>
      {title && <div class="small quiet of" aria-hidden="true">{title}</div>}
      <ul role="presentation">
        {choices.map(({ emoji, name }, i) => (
          <li
            key={`${i} ${emoji}`}
            id={`emoji-${from + i}`}
            role="option"
            aria-selected={from + i === active}
            aria-label={name}
            title={name}
            class={from + i === active ? "active" : ""}
            onPointerMove={() => onActive(from + i)}
            onClick={() => onChoose(emoji)}
          >
            {emoji}
          </li>
        ))}
      </ul>
    </div>
  );
}
