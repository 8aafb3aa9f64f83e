// The pictures that people have uploaded. All faces of a person share an address, which works for a while.
import { useEffect } from "preact/hooks";
import { type Cell, cell, useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";

interface Portrait {
  /** The address, empty if it is not known or does not work, and how often it was replaced for a failure. */
  readonly source: Cell<{ readonly url: string; readonly turn: number }>;
  /** Whether the server is asked for an address no more. */
  settled: boolean;
}

const portraits = new Map<string, Portrait>(); // by user and picture

function portraitOf(user: string, picture: string): Portrait {
  const key = `${user} ${picture}`;
  const portrait = portraits.get(key) ?? { source: cell({ url: "", turn: 0 }), settled: false };
  portraits.set(key, portrait);
  return portrait;
}

/** Shows a picture that the person has just uploaded: a query for its address may miss it for a second. */
export function showUploaded(user: string, picture: string, blob: Blob): void {
  const portrait = portraitOf(user, picture);
  portrait.settled = true;
  portrait.source.value = { url: URL.createObjectURL(blob), turn: 0 };
}

/** A picture, which covers the initials once it is loaded. Without one, the initials stay. */
export default function Uploaded({ user, picture }: { user: string; picture: string }) {
  const page = usePage();
  const portrait = portraitOf(user, picture);
  const { url, turn } = useValue(portrait.source);
  const online = /online|polling/.test(useValue(page.connection));
  useEffect(() => void find(page, portrait, user, picture), [online]);
  if (!url) return null;
  const fail = (e: Event) => {
    (e.currentTarget as Element).classList.remove("loaded");
    if (turn !== portrait.source.value.turn) return; // another face was first
    if (!turn) return void find(page, portrait, user, picture, true);
    portrait.settled = true;
    portrait.source.value = { url: "", turn };
  };
  return <img key={turn} ref={uncover} src={url} alt="" loading="lazy" referrerpolicy="no-referrer" onLoad={e => uncover(e.currentTarget)} onError={fail} />;
}

/** Shows a picture if it is loaded, as one is from the start that another face shows already. */
function uncover(img: HTMLImageElement | null): void {
  if (img?.complete && img.naturalWidth) img.classList.add("loaded");
}

/** Finds the address of a picture. Fresh asks for another than the one that failed, but only once. */
async function find(page: Page, portrait: Portrait, user: string, picture: string, fresh = false): Promise<void> {
  if (portrait.settled) return;
  const { url: former, turn } = portrait.source.value;
  try {
    const url = await (await page.chat.value?.files())?.picture(user, picture, fresh) ?? "";
    if (!portrait.settled && (fresh || url !== former)) portrait.source.value = { url, turn: turn + Number(fresh) };
  } catch { // it is found once the connection is back, or when another face of the person is shown
    if (fresh) portrait.source.value = { url: "", turn };
  }
}
