// The actions of one message: a menu of all, and buttons for the frequent ones.
import type { Message, Room } from "@parley/client";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Access } from "../access/access.js";
import { mayPin } from "../access/rights.js";
import { hasEnded } from "../polls/rules.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { IconButton } from "../ui/icons.js";
import { actionsOf, isThread } from "./actions.js";
import { isSaved, loadSaved, setSaved } from "./saved.js";

export interface ToolsProps {
  readonly message: Message;
  readonly name: string;
  readonly access: Access;
  readonly room: Room;
  /** Shows only the button of the menu: for fingers. */
  readonly brief: boolean;
  onMenu(open: boolean): void;
}

export function Tools({ room, message, access, brief, name, onMenu }: ToolsProps) {
  const page = usePage();
  const acts = actionsOf(page, room);
  const [open, setOpen] = useState(false);
  const saved = isSaved(useValue(page.saved), message);
  const show = (is: boolean) => {
    if (is) loadSaved(page);
    setOpen(is);
    onMenu(is);
  };
  const own = message.user === page.me.value;
  const mayEdit = own && !access.barred;
  const mayDelete = !access.barred && (own || access.moderates);
  const main: [label: string, icon: "edit" | "trash" | "smile", act: () => void][] = [];
  if (!access.barred) main.push(["React", "smile", () => acts.react(message)]);
  if (mayEdit) main.push(["Edit", "edit", () => acts.edit(message)]);
  if (mayDelete) main.push(["Delete", "trash", () => acts.remove(message)]);
  const all: [label: string, act: () => void][] = [
    ...(!message.poll || access.barred || hasEnded(message.poll, page.now()) ? [] : [["Vote", acts.vote] as [string, () => void]]),
    ...main.map(([label, , act]): [string, () => void] => [label, act]),
    ...(access.barred ? [] : [["Quote", () => acts.quote(message)] as [string, () => void]]),
    ...(access.barred || isThread(room) ? [] : [["Reply in thread", () => acts.thread(message)] as [string, () => void]]),
    ...(message.quote ? [["Go to quoted message", () => acts.toQuoted(message)] as [string, () => void]] : []),
    ["Copy link", () => acts.copyLink(message)],
  ];
  const { info } = room.value;
  if (info && mayPin(info.me?.role ?? "", info)) all.push(["Pin", () => acts.pin(message)]);
  all.push([saved ? "Remove from saved" : "Save for yourself", () => void setSaved(page, message, !saved).catch(page.toastError)]);
  if (access.member && !isThread(room)) all.push(["Mark as unread", () => acts.markUnread(message)]);
  if (message.editedAt) all.push(["Edit history", () => acts.history(message)]);
  if (!own && !access.archived) all.push(["Report", () => acts.report(message)]);
  if (!own) all.push([`Block ${name}`, () => acts.block(message, name)]);
  return (
    <div class="tools" role="group" aria-label="Actions">
      {!brief && main.map(([label, icon, act]) => <IconButton key={label} name={icon} label={label} onClick={act} />)}
      <IconButton name="more" label="More" onClick={() => show(!open)} />
      {open && <Menu items={all} onClose={() => show(false)} />}
    </div>
  );
}

function Menu({ items, onClose }: { items: readonly [string, () => void][]; onClose(): void }) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const list = menu.current;
    const tools = list?.parentElement;
    const log = list?.closest(".log, .t-log");
    if (!list || !tools || !log) return;
    // It opens upwards if there is more space.
    const space = log.getBoundingClientRect().bottom - tools.getBoundingClientRect().bottom;
    list.classList.toggle("up", space < list.offsetHeight + 8);
    list.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });
    const outside = (e: Event) => { if (!tools.contains(e.target as Node)) onClose(); };
    addEventListener("pointerdown", outside);
    return () => removeEventListener("pointerdown", outside);
  }, []);
  const close = () => {
    menu.current?.parentElement?.querySelector<HTMLElement>("[aria-label=More]")?.focus();
    onClose();
  };
  const keys = (e: KeyboardEvent) => {
    const list = [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = list.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[e.key];
    if (to !== undefined) list.at(to % list.length)?.focus();
    else if (e.key === "Escape") close();
    else if (e.key === "Tab") return onClose();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div class="menu" role="menu" aria-label="Actions" ref={menu} onKeyDown={keys}>
      {items.map(([label, act]) => (
        <button key={label} type="button" role="menuitem" tabIndex={-1} onClick={() => { close(); act(); }}>{label}</button>
      ))}
    </div>
  );
}
