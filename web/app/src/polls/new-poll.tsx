// The dialog for the question and the options of a new poll.
import type { NewPoll } from "@parley/client";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../state/page.js";
import { Dialog } from "../ui/dialog.js";
import { IconButton } from "../ui/icons.js";
import { Check, Plain } from "../ui/parts.js";
import { faultOf, fewestOptions, mostOptions, optionsOf, pollOf } from "./rules.js";

const hour = 3600, day = 24 * hour;

/** When a poll ends, in seconds from now. 0 is never. */
const ends: readonly [label: string, seconds: number][] = [
  ["Never", 0], ["In 1 hour", hour], ["In 1 day", day],
  ["In 3 days", 3 * day], ["In 1 week", 7 * day], ["In 30 days", 30 * day],
];

/** Moves the focus from the question to the options, at whose end Enter sends the poll. */
function advance(e: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (e.key !== "Enter" || e.isComposing || !(e.target instanceof HTMLInputElement) || e.target.type !== "text") return;
  const fields = [...e.currentTarget.querySelectorAll<HTMLInputElement>("input:not([type=checkbox])")];
  const next = fields[fields.indexOf(e.target) + 1];
  if (!next) return;
  e.preventDefault();
  next.focus();
}

/** The longest question in characters. */
const longestQuestion = 1000;

export default function NewPollDialog({ onSend, onClose }: {
  onSend(question: string, poll: NewPoll): void; onClose(): void;
}) {
  const page = usePage();
  const [question, setQuestion] = useState("");
  const [draft, setDraft] = useState({ options: ["", ""], multiple: false, anonymous: false, seconds: 0 });
  const fault = faultOf(draft);
  const ready = question.trim() && optionsOf(draft).length >= fewestOptions && !fault;
  const set = (part: Partial<typeof draft>) => setDraft(d => ({ ...d, ...part }));
  const submit = (e: Event) => {
    e.preventDefault();
    if (!ready) return;
    onSend(question.trim(), pollOf(draft, page.now()));
    onClose();
  };
  return (
    <Dialog label="Create a poll" onClose={onClose}>
      <h2>Create a poll</h2>
      <form onSubmit={submit} onKeyDown={advance}>
        <label class="field">
          Question
          <input
            value={question}
            onInput={e => setQuestion(e.currentTarget.value)}
            autofocus
            maxLength={longestQuestion}
            autocomplete="off"
            dir="auto"
          />
        </label>
        <Options options={draft.options} onOptions={options => set({ options })} />
        <div>
          <Check label="Several choices" checked={draft.multiple} onValue={multiple => set({ multiple })} />
          <Check
            label="Anonymous"
            hint="Nobody is shown who voted."
            checked={draft.anonymous}
            onValue={anonymous => set({ anonymous })}
          />
        </div>
        <label class="field">Ends
          <select value={draft.seconds} onChange={e => set({ seconds: Number(e.currentTarget.value) })}>
            {ends.map(([label, seconds]) => <option key={seconds} value={seconds}>{label}</option>)}
          </select>
        </label>
        <p class="alert small" role="alert">{fault}</p>
        <div class="acts">
          <Plain onClick={onClose}>Cancel</Plain>
          <button class="button" disabled={!ready}>Send</button>
        </div>
      </form>
    </Dialog>
  );
}

/** The fields of the options. The focus follows when one is added or removed. */
function Options({ options, onOptions }: { options: readonly string[]; onOptions(options: string[]): void }) {
  const list = useRef<HTMLFieldSetElement>(null);
  const next = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (next.current !== undefined) list.current?.querySelectorAll("input")[next.current]?.focus();
    next.current = undefined;
  }, [options.length]);
  const add = () => {
    next.current = options.length;
    onOptions([...options, ""]);
  };
  const remove = (i: number) => {
    next.current = Math.min(i, options.length - 2);
    onOptions(options.toSpliced(i, 1));
  };
  return (
    <fieldset class="options" ref={list}>
      <legend>Options</legend>
      {options.map((text, i) => (
        <div key={i} class="p-bar">
          <input
            aria-label={`Option ${i + 1}`}
            value={text}
            autocomplete="off"
            dir="auto"
            onInput={e => onOptions(options.with(i, e.currentTarget.value))}
          />
          {options.length > fewestOptions && (
            <IconButton name="close" label={`Remove option ${i + 1}`} onClick={() => remove(i)} />
          )}
        </div>
      ))}
      {options.length < mostOptions && <Plain onClick={add}>Add an option</Plain>}
    </fieldset>
  );
}
