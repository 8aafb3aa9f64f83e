// The pictures of people. All faces of a person share the address of an uploaded one, which works for a while.
import type { Card } from "@parley/client";
import { useEffect } from "preact/hooks";
import { type Cell, cell, useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";

/**
 * A person's picture, which covers their initials once it is loaded. An uploaded picture takes precedence over a
 * host's.
 */
export default function Portrait({ user, card: { picture, avatar = "" } }: { user: string; card: Card }) {
  return picture ? <Uploaded key={picture} user={user} picture={picture} /> : <Avatar key={avatar} src={avatar} />;
}

/** A picture of a configured host. That host learns who reads what when, so no other host is requested. */
function Avatar({ src }: { src: string }) {
  const { config } = usePage();
  const allowed = config.value?.avatarHosts?.some(host => src.startsWith(`https://${host}/`));
  return allowed ? (
    <img
      src={src}
      alt=""
      loading="lazy"
      referrerpolicy="no-referrer"
      onLoad={e => e.currentTarget.classList.add("loaded")}
    />
  ) : null;
}

interface Address {
  /** The URL, empty if it is not known or does not work, and how often it was replaced for a failure. */
  readonly source: Cell<{ readonly url: string; readonly turn: number }>;
  /** Whether no other is requested any more. */
  settled: boolean;
}

const addresses = new Map<string, Address>(); // by user and picture

function addressOf(user: string, picture: string): Address {
  const key = `${user} ${picture}`;
  const address = addresses.get(key) ?? { source: cell({ url: "", turn: 0 }), settled: false };
  addresses.set(key, address);
  return address;
}

/** Shows a picture that the person has just uploaded: a query for its address may miss it for a second. */
export function showUploaded(user: string, picture: string, blob: Blob): void {
  const address = addressOf(user, picture);
  address.settled = true;
  address.source.value = { url: URL.createObjectURL(blob), turn: 0 };
}

function Uploaded({ user, picture }: { user: string; picture: string }) {
  const page = usePage();
  const address = addressOf(user, picture);
  const { url, turn } = useValue(address.source);
  const online = /online|polling/.test(useValue(page.connection));
  useEffect(() => void find(page, address, user, picture), [online]);
  if (!url) return null;
  const fail = (e: Event) => {
    (e.currentTarget as Element).classList.remove("loaded");
    if (turn !== address.source.value.turn) return; // another face was first
    if (!turn) return void find(page, address, user, picture, true);
    address.settled = true;
    address.source.value = { url: "", turn };
  };
  return (
    <img
      key={turn}
      ref={uncover}
      src={url}
      alt=""
      loading="lazy"
      referrerpolicy="no-referrer"
      onLoad={e => uncover(e.currentTarget)}
      onError={fail}
    />
  );
}

/** Shows a picture if it is loaded, as one is from the start that another face shows already. */
function uncover(img: HTMLImageElement | null): void {
  if (img?.complete && img.naturalWidth) img.classList.add("loaded");
}

/** Finds the address of a picture. Fresh requests another in place of one that failed. */
async function find(page: Page, address: Address, user: string, picture: string, fresh = false): Promise<void> {
  if (address.settled) return;
  const { url: former, turn } = address.source.value;
  try {
    const url = await (await page.chat.value?.files())?.picture(user, picture, fresh) ?? "";
    if (!address.settled && (fresh || url !== former)) address.source.value = { url, turn: turn + Number(fresh) };
  } catch { // it is found once the connection is back, or when another face of the person is shown
    if (fresh) address.source.value = { url: "", turn };
  }
}
