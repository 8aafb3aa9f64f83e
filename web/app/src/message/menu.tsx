// The actions of one message: a menu of all, and buttons for the frequent ones.
import type { Message, Room } from "@parley/client";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Access } from "../access/access.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { backToComposer } from "../ui/focus.js";
import { IconButton } from "../ui/icons.js";
import { Menu, type MenuItem, withKey } from "../ui/menu.js";
import { actionsOf } from "./actions.js";
import { isThread } from "./find.js";
import { itemsOf, mayDelete } from "./items.js";
import { toggle } from "./edits.js";
import { quickEmoji } from "./recent-emoji.js";
import { loadSaved } from "./saved.js";

interface ToolsProps {
  readonly message: Message;
  readonly name: string;
  readonly access: Access;
  readonly room: Room;
  /** Shows only the button of the menu: for fingers. */
  readonly brief: boolean;
  onMenu(open: boolean): void;
}

export default function Tools({ room, message, access, brief, name, onMenu }: ToolsProps) {
  const page = usePage();
  useValue(page.saved);
  const acts = actionsOf(page, room);
  const open = (is: boolean) => {
    if (is) loadSaved(page);
    onMenu(is);
  };
  const items = () => itemsOf(page, { room, message, access, name });
  const tools = useItemKeys(items);
  // After a click they go with the pointer, and would take the focus with them.
  useLayoutEffect(() => () => { if (tools.current?.contains(document.activeElement)) backToComposer(); }, []);
  const writes = !brief && !access.barred;
  return (
    <div ref={tools} class="tools" role="group" aria-label="Actions">
      {writes && quickEmoji().map(emoji => <Quick key={emoji} emoji={emoji} message={message} />)}
      {writes && <IconButton name="smile" label="React" onClick={() => acts.react(message)} />}
      {writes && !isThread(room) && (
        <IconButton name="thread" label="Reply in thread" onClick={() => acts.thread(message)} />
      )}
      {writes && message.user === page.me.value && (
        <IconButton name="edit" label="Edit" onClick={() => acts.edit(message)} />
      )}
      {!brief && mayDelete(page, message, access) && (
        <IconButton name="trash" label="Delete" onClick={() => acts.remove(message)} />
      )}
      <Menu label="More" items={items} onOpen={open} />
    </div>
  );
}

/**
 * Runs the item whose key is pressed at the message of the returned ref. After a click on a message, its keys
 * are a text.
 */
function useItemKeys(items: () => readonly MenuItem[]) {
  const tools = useRef<HTMLDivElement>(null);
  const latest = useRef(items);
  latest.current = items;
  useLayoutEffect(() => { // before the buttons are painted, so that no key after them is lost
    const row = tools.current?.closest("article");
    const listener = (e: KeyboardEvent) => {
      const item = e.defaultPrevented ? undefined : withKey(latest.current(), e); // the open menu was first
      if (!item || !(e.target as Element).matches(":focus-visible:not(input, textarea)")) return;
      e.preventDefault();
      e.stopPropagation();
      item.run();
    };
    row?.addEventListener("keydown", listener);
    return () => row?.removeEventListener("keydown", listener);
  }, []);
  return tools;
}

/** A button that reacts with one emoji, or takes that reaction back. */
function Quick({ emoji, message }: { emoji: string; message: Message }) {
  const page = usePage();
  const mine = !!message.reactions?.some(r => r.emoji === emoji && r.me);
  const label = `React with ${emoji}`;
  return (
    <button
      type="button"
      class="icon quick"
      aria-label={label}
      title={label}
      aria-pressed={mine}
      onClick={() => toggle(page, message, emoji, !mine)}
    >
      {emoji}
    </button>
  );
}
