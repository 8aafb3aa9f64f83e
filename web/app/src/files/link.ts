// The addresses of a file, which expire soon: they are asked for when the file comes in sight.
import type { FileLinks } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";
import { whenSeen } from "../ui/seen.js";
import type { Attachment, Owner } from "./attachment.js";

/** A file is loaded when it is closer to the window than this, in pixels. */
const near = 200;

/** Returns the addresses of a file. Fresh asks for new ones although there are some that should work. */
export async function linkOf({ chat }: Page, message: Owner, file: Attachment, fresh = false): Promise<FileLinks> {
  if (!chat.value) throw new Error("Nobody is signed in.");
  return (await chat.value.files()).of(message, file, fresh);
}

/** A file whose address is known once it was in sight. */
export interface Linked {
  readonly link: FileLinks | undefined;
  /** Whether the file could not be loaded, or has no address any more. */
  readonly failed: boolean;
  /** Counts the addresses: a file is loaded again with each, even with the same. */
  readonly turn: number;
  /** Asks for another address after a failure: once, until the file was loaded. */
  onError(): void;
  onLoad(): void;
}

/** Returns the addresses of a file whose element, near, is in sight. */
export function useLink(message: Owner, file: Attachment, element: { readonly current: Element | null }): Linked {
  const page = usePage();
  const [{ link, turn }, setLink] = useState<{ link?: FileLinks; turn: number }>({ turn: 0 });
  const [failed, setFailed] = useState(false);
  const renewed = useRef(false);
  const ask = (fresh = false) => linkOf(page, message, file, fresh).then(
    found => { setFailed(false); setLink(l => ({ link: found, turn: l.turn + 1 })); },
    () => setFailed(true),
  );
  useEffect(
    () => (element.current ? whenSeen(element.current, () => void ask(), near) : undefined),
    [message.id, file.id],
  );
  const online = /online|polling/.test(useValue(page.connection));
  useEffect(() => {
    if (!failed || !online) return;
    renewed.current = false; // the network is back
    void ask();
  }, [online]);
  return {
    link, failed, turn,
    onError: () => {
      if (renewed.current) return setFailed(true);
      renewed.current = true;
      void ask(true);
    },
    onLoad: () => { renewed.current = false; },
  };
}

/** Saves a file. */
export async function save(page: Page, message: Owner, file: Attachment): Promise<void> {
  try {
    const href = await (await page.chat.value?.files())?.download(message, file);
    if (href) {
      Object.assign(document.createElement("a"), { href, download: file.name, rel: "noopener noreferrer" }).click();
    }
  } catch (error) {
    page.toastError(error);
  }
}
