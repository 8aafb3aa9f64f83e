// The menus of the page: a popover near its button on wide pages, a sheet at the lower edge of a phone.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useBack } from "./back.js";
import { hasKeys } from "./focus.js";
import { Icon, type IconName } from "./icons.js";
import { type Anchor, place } from "./place.js";

/** The width up to which a menu is a sheet, as in panel.css. */
export const narrow = matchMedia("(max-width: 719px)");

export interface MenuItem {
  readonly label: string;
  /** An emoji to show instead of the label. Items with one are a row. */
  readonly emoji?: string;
  /** The key that runs it, which the menu shows. */
  readonly key?: string;
  /** Whether a line is above it. */
  readonly apart?: boolean;
  readonly danger?: boolean;
  /** Whether a choice holds; absent for an action. */
  readonly checked?: boolean;
  run(): void;
}

/**
 * A button with a menu: arrows, Home, End and first letters move in it, an item's key runs it, Esc
 * and Tab close it.
 */
export function Menu({ label, items, onOpen, tabIndex, icon = "more", disabled, children }: {
  /** The name of the menu, and of its button unless that has children. */
  label: string;
  items: () => readonly MenuItem[];
  onOpen?: (open: boolean) => void;
  tabIndex?: number;
  icon?: IconName;
  disabled?: boolean;
  /** The contents of the button instead of its icon. */
  children?: ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open || !onOpen) return undefined;
    onOpen(true);
    return () => onOpen(false);
  }, [open]);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  // A press on the button takes the focus from the menu, which closes it before the click.
  const wasOpen = useRef(false);
  // A key on a message opens the menu of its button, which goes with the focus of the message.
  const opener = useRef<HTMLElement | null>(null);
  const show = () => {
    const message = button.current?.closest<HTMLElement>("article:focus");
    opener.current = message ?? button.current;
    setOpen(true);
  };
  const close = (focus: boolean) => { setOpen(false); if (focus) opener.current?.focus(); };
  return (
    <>
      <button
        type="button"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open}
        tabIndex={tabIndex}
        disabled={disabled}
        title={label}
        {...(children ? {} : { class: "icon", "aria-label": label })}
        {...(open ? { "aria-controls": id } : {})}
        onPointerDown={() => { wasOpen.current = open; }}
        onClick={() => { if (wasOpen.current) setOpen(false); else show(); wasOpen.current = false; }}
        onKeyDown={e => { if (e.key === "ArrowDown") { e.preventDefault(); show(); } }}
      >
        {children ?? <Icon name={icon} />}
      </button>
      {open && <OpenMenu id={id} label={label} items={items()} anchor={button.current} onClose={close} />}
    </>
  );
}

/**
 * An open menu, whose items stay as they were when it opened. onClose is called with whether the
 * focus goes back to where it came from.
 */
export function OpenMenu({ id, label, items: atFirst, anchor, onClose }: {
  id?: string; label: string; items: readonly MenuItem[]; anchor: Anchor | null; onClose: (focus: boolean) => void;
}) {
  const [items] = useState(atFirst); // nothing moves under the pointer
  const layer = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  useBack(() => onClose(true), narrow.matches || !hasKeys());
  useEffect(() => { // a phone that is turned moves what the menu is near
    const close = () => onClose(false);
    narrow.addEventListener("change", close);
    return () => narrow.removeEventListener("change", close);
  }, []);
  useLayoutEffect(() => {
    if (!layer.current || !menu.current || !anchor) return;
    layer.current.showPopover();
    if (!narrow.matches) place(menu.current, anchor);
    menu.current.querySelector("button")?.focus({ preventScroll: true });
  }, []);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Escape" || e.key === "Tab") {
      if (e.key === "Escape") e.preventDefault();
      e.stopPropagation();
      onClose(true);
      return;
    }
    const item = withKey(items, e);
    if (item) run(item);
    if (item || (menu.current && moveFocus(menu.current, e.key))) e.preventDefault();
  };
  const run = (item: MenuItem) => { onClose(true); item.run(); };
  const outside = (e: Event) => e.target === layer.current;
  return (
    <div
      ref={layer}
      class="p-layer"
      popover="manual"
      onMouseDown={e => { if (outside(e)) e.preventDefault(); }}
      onClick={e => { if (outside(e)) onClose(true); }}
    >
      <div
        ref={menu} id={id} class="menu p-menu" role="menu" aria-label={label} onKeyDown={onKeyDown}
        onFocusOut={e => { if (!menu.current?.contains(e.relatedTarget as Node | null)) onClose(false); }}
      >
        {items.map((item, i) => <Item key={i} item={item} onRun={() => run(item)} />)}
      </div>
    </div>
  );
}

function Item({ item: { label, emoji, key, apart, danger, checked }, onRun }: { item: MenuItem; onRun: () => void }) {
  const classes = [emoji && "short", apart && "apart", danger && "alert"].filter(Boolean).join(" ");
  return (
    <button
      type="button"
      {...(checked === undefined ? { role: "menuitem" } : { role: "menuitemcheckbox", "aria-checked": checked })}
      tabIndex={-1}
      class={classes}
      aria-label={emoji && label}
      aria-keyshortcuts={key}
      onClick={e => { e.stopPropagation(); onRun(); }}
    >
      {emoji ?? label}
      {key && <kbd aria-hidden="true">{key}</kbd>}
    </button>
  );
}

/** Returns the item that a key runs. */
export function withKey(items: readonly MenuItem[], e: KeyboardEvent): MenuItem | undefined {
  if (e.ctrlKey || e.metaKey || e.altKey) return undefined;
  return items.find(item => item.key?.toLowerCase() === e.key.toLowerCase());
}

/** Moves the focus in a menu, and reports whether the key does that. */
function moveFocus(menu: HTMLElement, key: string): boolean {
  const items = Array.from(menu.querySelectorAll("button"));
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  const to: Record<string, number> = {
    ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1,
  };
  let next = to[key];
  if (next === undefined && key.length === 1) {
    const found = [...items.slice(at + 1), ...items.slice(0, at + 1)].find(i =>
      i.textContent?.toLowerCase().startsWith(key.toLowerCase()));
    if (found) next = items.indexOf(found);
  }
  if (next === undefined) return false;
  items[next % items.length]?.focus();
  return true;
}
