// The profile of a person, over the page: who they are, and what one can do about them.
import { type Card, type People, RequestError } from "@parley/client";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { accessOf } from "../access/access.js";
import { mayAdminister } from "../access/moderator.js";
import { useApi, useLoad } from "../api/load.js";
import { writeTo } from "../api/rooms.js";
import type { Member, Person } from "../api/types.js";
import { useValue } from "../state/cell.js";
import { plainNameOf, roomName, seemsShared } from "../state/names.js";
import { type Page, type ShownProfile, usePage } from "../state/page.js";
import { useBack } from "../ui/back.js";
import { focusComposer } from "../ui/focus.js";
import { Menu } from "../ui/menu.js";
import { Plain } from "../ui/parts.js";
import { type Anchor, place } from "../ui/place.js";
import { askToBlock, setBlocked } from "./blocking.js";
import { Face } from "./face.js";
import { placeOfZone, timeIn } from "./local-time.js";
import { statusOf, statusWords } from "./status.js";
import { type Question, PersonDialog, roomMenu } from "./person.js";

/** The distance of the profile from its face and from the edges of the window, in pixels. */
const gap = 8;

/** The width up to which the profile is a sheet at the foot of the page, as in people.css. */
const phone = matchMedia("(max-width: 719px)");

interface Facts { readonly person: Person | undefined; readonly member: Member | undefined }

/** Loads a person's profile and, for those who may change it, their role in the room. */
function useFacts(user: string) {
  const page = usePage();
  const { request } = useApi();
  const room = page.current.value;
  const info = room?.value.info;
  const administers = !!info && user !== page.me.value && mayAdminister(info.me?.role ?? "", info);
  const absent = (e: unknown) => { if (e instanceof RequestError && e.status === 404) return undefined; throw e; };
  const id = encodeURIComponent(user);
  return useLoad<Facts>(user, async () => {
    const [person, member] = await Promise.all([
      user === page.me.value ? request("GET", "/people/me") : request<Person>("GET", `/people/${id}`).catch(absent),
      administers
        ? request<Member>("GET", `/rooms/${encodeURIComponent(room!.id)}/members/${id}`).catch(absent)
        : undefined,
    ]);
    return { person, member };
  });
}

export default function Profile({ shown }: { shown: ShownProfile }) {
  const page = usePage();
  const room = useValue(page.current);
  const [question, setQuestion] = useState<Question | null>(null);
  const { value, error, slow } = useFacts(shown.user);
  const close = () => {
    if (page.profile.value !== shown) return;
    page.profile.value = null;
    if (!shown.held) return;
    backTo(shown.face);
    setTimeout(backTo, 0, shown.face); // a dialog that is still open keeps the focus
  };
  useEffect(() => page.route.subscribe(close), []);
  if (question && room) {
    return (
      <PersonDialog
        question={question}
        room={room}
        name={roomName(page, room.value.info ?? { id: room.id, name: "" })}
        onDone={() => undefined}
        onClose={close}
      />
    );
  }
  // Its place depends on its height, and its buttons must not move: until it is whole, it only says that it loads.
  const whole = !!(value || error);
  if (!whole && !slow) return null;
  return (
    <Popover
      key={value ? "whole" : error && "failed"}
      shown={shown}
      label={`Profile of ${plainNameOf(page, {}, shown.user)}`}
      onClose={close}
    >
      {whole
        ? <Contents shown={shown} facts={value} onAsk={setQuestion} onClose={close} />
        : <p class="quiet" role="status">Loading…</p>}
    </Popover>
  );
}

function Popover({ shown: { face, held }, label, onClose, children }: {
  shown: ShownProfile; label: string; onClose: () => void; children: ComponentChildren;
}) {
  const ref = useRef<HTMLDivElement>(null);
  useBack(onClose, held && phone.matches);
  useLayoutEffect(() => {
    const card = ref.current!;
    card.showPopover();
    if (!phone.matches) place(card, sideOf(face, card), gap);
    if (held) card.querySelector("button")?.focus({ preventScroll: true });
    const listening = new AbortController();
    const signal = { signal: listening.signal, capture: true };
    const outside = (e: Event) => {
      if (!card.contains(e.target as Node) && !face.contains(e.target as Node)) onClose();
    };
    addEventListener("pointerdown", outside, signal);
    if (!held) addEventListener("scroll", outside, signal);
    addEventListener("keydown", e => {
      if (e.key !== "Escape" || (e.target as Element).closest("[role=menu]")) return;
      e.preventDefault();
      e.stopPropagation();
      onClose();
    }, signal);
    return () => listening.abort();
  }, []);
  return (
    <div
      ref={ref}
      class="profile"
      role="dialog"
      aria-label={label}
      popover="manual"
      onKeyDown={e => keepInside(ref.current!, e)}
    >
      {children}
    </div>
  );
}

/** Returns the focus to a face, unless it is elsewhere by now. */
function backTo(face: HTMLElement): void {
  const at = document.activeElement;
  if (at === document.body || at?.closest(".profile")) face.focus({ preventScroll: true });
}

/** Keeps the Tab key inside: the elements beneath are far from the profile in the document. */
function keepInside(card: HTMLElement, e: KeyboardEvent): void {
  if (e.key !== "Tab" || (e.target as Element).closest("[role=menu]")) return;
  const all = [...card.querySelectorAll<HTMLElement>("button")];
  const end = e.shiftKey ? all[0] : all.at(-1);
  if (document.activeElement !== end) return;
  e.preventDefault();
  all.at(e.shiftKey ? -1 : 0)?.focus();
}

/** Returns the anchor of the profile: the side of its face at which a line starts. */
function sideOf(face: HTMLElement, card: HTMLElement): Anchor {
  const at = face.getBoundingClientRect();
  const start = getComputedStyle(face).direction === "rtl" ? at.right - card.offsetWidth : at.left;
  return { getBoundingClientRect: () => new DOMRect(start, at.top, 0, at.height) };
}

function cardOfPerson({ name, skeleton, avatar, picture, status }: Person): Card {
  return { name, skeleton, ...(avatar && { avatar }), ...(picture && { picture }), ...(status && { status }) };
}

interface ContentsProps {
  shown: ShownProfile;
  facts: Facts | undefined;
  onAsk: (q: Question) => void;
  onClose: () => void;
}

function Contents({ shown: { user }, facts, onAsk, onClose }: ContentsProps) {
  const page = usePage();
  const room = page.current.value;
  const [here, present] = [useValue(page.online), useValue(page.present)];
  const online = here.has(user) || present.has(user);
  const { person } = facts ?? {};
  const people: People = {
    ...page.cards.value,
    ...page.chat.value?.rooms.people,
    ...room?.value.people,
    ...(person && { [user]: cardOfPerson(person) }),
  };
  const name = plainNameOf(page, people, user);
  const status = statusOf(page, people, user);
  const zone = person?.metadata?.timeZone;
  const local = timeIn(zone, page.now());
  const lines: [string, string | undefined][] = [
    ["Local time", local && `${local} in ${placeOfZone(zone as string)}`],
    ["Lives in", person?.state],
    ["Formerly", person?.previousTitles?.join(", ")],
  ];
  return (
    <>
      <div class="p-person">
        <Face user={user} people={people} online={online} />
        <div class="p-name">
          <b dir="auto">{name}</b>
          {person?.title && <span dir="auto">{person.title}</span>}
          <span class="small quiet"><bdi>{user}</bdi>{online && " · Online"}{person?.kind === "bot" && " · Bot"}</span>
        </div>
      </div>
      {status && <p dir="auto">{status.emoji} {statusWords(status, new Date(page.now()))}</p>}
      <Buttons user={user} name={name} facts={facts} onAsk={onAsk} onClose={onClose} />
      <dl class="p-facts">
        {lines.map(([what, text]) => text && <div key={what}><dt>{what}</dt><dd dir="auto">{text}</dd></div>)}
      </dl>
    </>
  );
}

function Buttons({ user, name, facts, onAsk, onClose }: {
  user: string;
  name: string;
  facts: Facts | undefined;
  onAsk: (q: Question) => void;
  onClose: () => void;
}) {
  const page = usePage();
  const { attempt } = useApi();
  const info = page.current.value?.value.info;
  const blocked = useValue(page.blocked).has(user);
  const mine = user === page.me.value;
  if (mine) {
    return (
      <div class="acts"><Plain onClick={() => { onClose(); page.dialog.value = "account"; }}>Edit profile</Plain></div>
    );
  }
  const member = facts?.member;
  const mayMention = info && info.kind !== "direct" && !accessOf(info).barred;
  return (
    <div class="acts">
      <Plain onClick={() => { onClose(); attempt(() => writeTo(page, user)); }}>Message</Plain>
      {mayMention && <Plain onClick={() => { onClose(); mention(page, user, name); }}>Mention</Plain>}
      <Plain onClick={() => {
        onClose();
        blocked ? attempt(() => setBlocked(page, user, name, false)) : askToBlock(page, user, name);
      }}>{blocked ? "Unblock" : "Block"}</Plain>
      {info && member && (
        <Menu
          label={`Actions for ${name}`}
          items={() => roomMenu(page, { member, name, info, blocked }, onAsk, onClose)}
        />
      )}
    </div>
  );
}

/** Inserts a mention of a person into the composer: the name, or the user id if another has the same name. */
function mention(page: Page, user: string, name: string): void {
  const known = { ...page.chat.value?.rooms.people, ...page.current.value?.value.people };
  const shared = seemsShared(page, known, user);
  focusComposer();
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement)) return;
  const before = field.value.slice(0, field.selectionStart);
  field.setRangeText(
    `${/\S$/.test(before) ? " " : ""}@${shared ? user : name} `, field.selectionStart, field.selectionEnd, "end",
  );
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
