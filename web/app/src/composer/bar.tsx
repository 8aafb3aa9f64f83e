// The bar below the field of the composer.
import { useRef } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { mark } from "../ui/aids.js";
import { Icon, IconButton } from "../ui/icons.js";
import { lazy } from "../ui/lazy.js";
import { Menu } from "../ui/menu.js";

const Marks = lazy(() => import("./marks.js"));

/** The dialogs that the bar opens. */
export type Opened = "emoji" | "poll";

interface BarProps {
  readonly field: { readonly current: HTMLTextAreaElement | null };
  /** Whether the person may not write here. */
  readonly barred: boolean;
  /** Whether slow mode makes the person wait. */
  readonly waits: boolean;
  /** Whether there is something that can be sent. */
  readonly ready: boolean;
  onFiles(chosen: Iterable<File>): void;
  onOpen(what: Opened): void;
}

/** The bar of a message: its additions, the marks for its text, and the button that sends it. */
export function Bar({ field, barred, waits, ready, onFiles, onOpen }: BarProps) {
  const files = useRef<HTMLInputElement>(null);
  const painted = useValue(usePage().painted); // the marks can wait
  const items = () => [
    { label: "Add files", run: () => files.current?.click() },
    ...(waits ? [] : [{ label: "Create a poll", run: () => onOpen("poll") }]),
  ];
  return (
    <div class="bar">
      <input ref={files} type="file" multiple hidden aria-label="Add files" disabled={barred} onChange={e => {
        onFiles(e.currentTarget.files ?? []);
        e.currentTarget.value = ""; // the same file may be chosen again
      }} />
      <Menu label="Add to the message" icon="plus" disabled={barred} items={items} />
      <IconButton name="smile" label="Emoji" disabled={barred} onClick={() => onOpen("emoji")} />
      {painted && !barred && <Marks onMark={edit => { if (field.current) mark(field.current, edit); }} />}
      <button type="submit" class="send" aria-label="Send" title="Send" disabled={!ready || barred || waits}>
        <Icon name="send" />
      </button>
    </div>
  );
}
