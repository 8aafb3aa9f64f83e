import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons.js";

/** The distance of a menu from its button and from the edges of the window, in pixels. */
const gap = 4;

export interface MenuItem {
  readonly label: string;
  readonly danger?: boolean;
  run(): void;
}

/** A button with a menu: arrows, Home, End and first letters move in it, Esc and Tab close it. */
export function Menu({ label, items, onOpen }: {
  label: string; items: () => readonly MenuItem[]; onOpen?: (open: boolean) => void;
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
  const close = (focus: boolean) => { setOpen(false); if (focus) button.current?.focus(); };
  return (
    <>
      <button
        type="button" ref={button} class="icon" aria-label={label} aria-haspopup="menu" aria-expanded={open}
        {...(open ? { "aria-controls": id } : {})}
        onPointerDown={() => { wasOpen.current = open; }}
        onClick={() => { setOpen(!wasOpen.current); wasOpen.current = false; }}
        onKeyDown={e => { if (e.key === "ArrowDown") { e.preventDefault(); setOpen(true); } }}
      >
        <Icon name="more" />
      </button>
      {open && <Items id={id} label={label} items={items()} anchor={button.current} onClose={close} />}
    </>
  );
}

function Items({ id, label, items, anchor, onClose }: {
  id: string; label: string; items: readonly MenuItem[]; anchor: HTMLElement | null; onClose: (focus: boolean) => void;
}) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!menu.current || !anchor) return;
    menu.current.showPopover();
    place(menu.current, anchor);
    menu.current.querySelector("button")?.focus();
  }, []);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Escape" || e.key === "Tab") {
      if (e.key === "Escape") e.preventDefault();
      e.stopPropagation();
      onClose(true);
    } else if (menu.current && moveFocus(menu.current, e.key)) e.preventDefault();
  };
  const run = (item: MenuItem) => { onClose(true); item.run(); };
  return (
    <div
      ref={menu} id={id} class="menu p-menu" role="menu" aria-label={label} popover="manual" onKeyDown={onKeyDown}
      onFocusOut={e => { if (!menu.current?.contains(e.relatedTarget as Node | null)) onClose(false); }}
    >
      {items.map(item => (
        <button key={item.label} type="button" role="menuitem" tabIndex={-1} class={item.danger ? "alert" : ""} onClick={() => run(item)}>
          {item.label}
        </button>
      ))}
    </div>
  );
}

/** Moves the focus in a menu, and reports whether the key does that. */
function moveFocus(menu: HTMLElement, key: string): boolean {
  const items = Array.from(menu.querySelectorAll("button"));
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 };
  let next = to[key];
  if (next === undefined && key.length === 1) {
    const found = [...items.slice(at + 1), ...items.slice(0, at + 1)].find(i => i.textContent?.toLowerCase().startsWith(key.toLowerCase()));
    if (found) next = items.indexOf(found);
  }
  if (next === undefined) return false;
  items[next % items.length]?.focus();
  return true;
}

/** Places a menu below its button, or above it where there is no room. */
function place(menu: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + gap + height <= innerHeight;
  menu.style.top = `${Math.max(gap, below ? at.bottom + gap : at.top - gap - height)}px`;
  menu.style.left = `${Math.min(Math.max(gap, at.right - width), innerWidth - width - gap)}px`;
}
