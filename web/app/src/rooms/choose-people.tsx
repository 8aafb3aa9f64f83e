// A field that chooses people by name. Those who are chosen are buttons above it, which take them
// out again. A form with a name that was typed, but not chosen, is not sent.
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Face } from "../people/face.js";
import { usePage } from "../state/page.js";
import { type Found, having } from "../ui/having.js";
import { Icon } from "../ui/icons.js";
import { useFoundPeople } from "../people/found-people.js";

/** Returns people whose names begin with a text, or who are known and match. */
function usePeople(text: string): readonly Found[] {
  const page = usePage();
  const found = useFoundPeople(text).people;
  if (!text) return [];
  const known = Object.entries(page.chat.value?.rooms.people ?? {}).map(([user, { name }]) => ({ user, name }));
  const all = new Map([...known, ...found].map(p => [p.user, { user: p.user, name: p.name }]));
  all.delete(page.me.value);
  return having([...all.values()], text, p => p.name, p => p.user);
}

export function ChoosePeople({ chosen, onChoose }: {
  chosen: readonly Found[]; onChoose: (people: readonly Found[]) => void;
}) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [here, setHere] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const matches = usePeople(text.trim()).filter(p => !chosen.some(c => c.user === p.user));
  const shown = here && matches.length > 0;
  useValidity(field, text, matches.length === 0);
  const active = Math.min(at, matches.length - 1);
  const back = (people: readonly Found[]) => {
    onChoose(people);
    setText("");
    setAt(0);
    field.current?.focus();
  };
  const add = (p: Found) => back([...chosen, p]);
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt((active + 1) % matches.length),
    ArrowUp: () => setAt((active || matches.length) - 1),
    Enter: () => { const p = matches[active]; if (p) add(p); },
    Escape: () => setText(""),
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Backspace" && !text && chosen.length) return back(chosen.slice(0, -1));
    if (e.isComposing || !matches.length || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key]?.();
  };
  return (
    <div class="field chooser">
      <label for={id}>People to add</label>
      {chosen.length > 0 && <Chosen people={chosen} onOut={p => back(chosen.filter(c => c !== p))} />}
      <input
        ref={field}
        id={id}
        role="combobox"
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        autocomplete="off"
        dir="auto"
        aria-activedescendant={shown ? `${id}-${active}` : undefined}
        placeholder="Type a name (optional)"
        value={text}
        onInput={e => { setText(e.currentTarget.value); setAt(0); }}
        onKeyDown={onKeyDown}
        onFocus={() => setHere(true)}
        onBlur={() => setHere(false)}
      />
      <ul id={`${id}-list`} class="menu" role="listbox" aria-label="People" hidden={!shown}>
        {matches.map((p, i) => (
          <Match key={p.user} person={p} id={`${id}-${i}`} active={i === active} onChoose={add} />
        ))}
      </ul>
    </div>
  );
}

/** Refuses a form with a name that was typed, but not chosen. */
function useValidity(field: { readonly current: HTMLInputElement | null }, text: string, none: boolean): void {
  useLayoutEffect(() => {
    field.current?.setCustomValidity(!text.trim() ? ""
      : none ? "Nobody has this name. Correct it, or clear the field."
      : "Choose a person from the list, or clear the field.");
  }, [text, none]);
}

const Chosen = ({ people, onOut }: { people: readonly Found[]; onOut: (person: Found) => void }) => (
  <ul class="chosen">{people.map(p => (
    <li key={p.user}>
      <button
        type="button"
        class="button plain"
        aria-label={`Take out ${p.name}`}
        onClick={() => onOut(p)}
      >
        <bdi>{p.name}</bdi>
        <Icon name="close" />
      </button>
    </li>
  ))}</ul>
);

function Match({ person: p, id, active, onChoose }: {
  person: Found; id: string; active: boolean; onChoose: (person: Found) => void;
}) {
  return (
    <li
      id={id}
      role="option"
      aria-selected={active}
      class={active ? "option active" : "option"}
      onMouseDown={e => e.preventDefault()}
      onClick={() => onChoose(p)}
    >
      <Face user={p.user} people={{}} name={p.name} /><span class="cut"><bdi>{p.name}</bdi></span>
      <span class="small quiet">{p.name !== p.user && p.user}</span>
    </li>
  );
}
