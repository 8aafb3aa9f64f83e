// To block somebody: the question before it, and the list in which it is taken back.
import type { People } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { nameOf } from "../state/names.js";
import { blocked, chat, toastError, useValue } from "../state/store.js";
import { Dialog } from "../ui/dialog.js";
import { askedToBlock, setBlocked } from "./blocking.js";
import { Face } from "./face.js";

/** Asks whether to block the person of askedToBlock. */
export function Block({ onClose }: { onClose: () => void }) {
  const { user, name } = askedToBlock.value;
  const block = () => {
    onClose();
    setBlocked(user, name, true).catch(toastError);
  };
  return (
    <Dialog label={`Block ${name}?`} alert onClose={onClose}>
      <h2 dir="auto">Block {name}?</h2>
      <p class="confirm-text">You no longer see what they write, and your direct messages with them leave your list. They are not told.</p>
      <div class="acts">
        <button type="button" class="button plain" autofocus onClick={onClose}>Cancel</button>
        <button type="button" class="button danger" onClick={block}>Block</button>
      </div>
    </Dialog>
  );
}

const mostNamed = 100; // in one request; others are shown by their user ids

/** Unblocks a person. Their button goes, so the focus moves to the dialog's first field. */
function unblock(user: string, name: string, dialog: HTMLElement | null): void {
  dialog?.querySelector("input")?.focus();
  setBlocked(user, name, false).catch(toastError);
}

/** The people whom the person has blocked; nothing if there are none. */
export function BlockedPeople() {
  const users = [...useValue(blocked)].sort();
  const [people, setPeople] = useState<People>({});
  useEffect(() => {
    if (!users.length) return;
    const ids = new URLSearchParams({ ids: users.slice(0, mostNamed).join() });
    void chat.value?.request<{ people: (People[string] & { user: string })[] }>("GET", `/people?${ids}`)
      .then(page => setPeople(Object.fromEntries(page.people.map(p => [p.user, p]))), () => undefined);
  }, []);
  if (!users.length) return null;
  return (
    <section class="p-section" aria-label="Blocked people">
      <h3>Blocked people</h3>
      <ul>{users.map(user => {
        const name = nameOf(people, user);
        return (
          <li key={user} class="p-person">
            <Face user={user} people={people} />
            <span class="p-name cut" dir="auto">{name}</span>
            <button type="button" class="button plain" aria-label={`Unblock ${name}`} onClick={e => unblock(user, name, e.currentTarget.closest("dialog"))}>Unblock</button>
          </li>
        );
      })}</ul>
    </section>
  );
}
