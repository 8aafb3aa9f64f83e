// Blocking a person: the question before it, and the list of blocked people.
import type { People } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { nameOf } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { Dialog } from "../ui/dialog.js";
import { setBlocked } from "./blocking.js";
import { Face } from "./face.js";

/** Asks whether to block the person of the page's toBlock. */
export function Block({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const { user, name } = page.toBlock.value;
  const block = () => {
    onClose();
    setBlocked(page, user, name, true).catch(page.toastError);
  };
  return (
    <Dialog label={`Block ${name}?`} alert onClose={onClose}>
      <h2 dir="auto">Block {name}?</h2>
      <p class="confirm-text">
        You no longer see what they write, and your direct messages with them leave your list. They are not told.
      </p>
      <div class="acts">
        <button type="button" class="button plain" autofocus onClick={onClose}>Cancel</button>
        <button type="button" class="button danger" onClick={block}>Block</button>
      </div>
    </Dialog>
  );
}

const mostNamed = 100; // in one request; others are shown by their user ids

/**
 * Unblocks a person. Their button is removed, so the focus moves to the dialog's first field, or to
 * another button while there is none.
 */
function unblock(page: Page, user: string, name: string, button: HTMLElement): void {
  const dialog = button.closest("dialog");
  const field = dialog?.querySelector<HTMLElement>("input:not([type=file])"); // the picture's cannot be focused
  (field ?? [...dialog?.querySelectorAll("button") ?? []].find(other => other !== button))?.focus();
  setBlocked(page, user, name, false).catch(page.toastError);
}

/** The people whom the person has blocked; nothing if there are none. */
export function BlockedPeople() {
  const page = usePage();
  const users = [...useValue(page.blocked)].sort();
  const [people, setPeople] = useState<People>({});
  useEffect(() => {
    if (!users.length) return;
    void page.chat.value?.request("GET", `/people?${new URLSearchParams({ ids: users.slice(0, mostNamed).join() })}`)
      .then(found => setPeople(Object.fromEntries(found.items.map(p => [p.user, p]))), () => undefined);
  }, []);
  if (!users.length) return null;
  return (
    <section class="p-section" aria-label="Blocked people">
      <h3>Blocked people</h3>
      <ul>{users.map(user => {
        const name = nameOf(page, people, user);
        return (
          <li key={user} class="p-person">
            <Face user={user} people={people} />
            <span class="p-name cut" dir="auto">{name}</span>
            <button
              type="button"
              class="button plain"
              aria-label={`Unblock ${name}`}
              onClick={e => unblock(page, user, name, e.currentTarget)}
            >
              Unblock
            </button>
          </li>
        );
      })}</ul>
    </section>
  );
}
