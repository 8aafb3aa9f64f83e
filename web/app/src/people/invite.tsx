// Ways to invite people to a room: adding them by name, and invitation links.
import type { People as Cards, Room } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { explain } from "../api/attempt.js";
import { useApi, useLoad, usePages } from "../api/load.js";
import type { InvitePage, CreatedInvite } from "../api/types.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { CopyField } from "../ui/copy-field.js";
import { endOf, inviteDurations } from "../ui/forms.js";
import { FormBody, More, Plain, SelectField, Sheet, Shown, TextField, Time, useForm } from "../ui/parts.js";
import type { Anchor } from "../ui/place.js";
import { useCards } from "./cards.js";
import { linkOf, usualLife, usualUses } from "./invitation.js";
import { PersonRow } from "./row.js";

/** The pause in typing after which people are searched for. */
const typingPause = 200;
/** The most people that an answer shows: others are found by typing more of the name. */
const shownMatches = 8;

export function Invite({ room, name, anchor, onAdded, onClose }: {
  room: Room; name: string; anchor: Anchor; onAdded: () => void; onClose: () => void;
}) {
  return (
    <Sheet title={`Invite people to ${name}`} anchor={anchor} onClose={onClose}>
      <AddByName room={room} onAdded={onAdded} />
      <Links room={room} />
      <div class="acts"><Plain onClick={onClose}>Done</Plain></div>
    </Sheet>
  );
}

/** The characters of user ids, as the server checks them. */
const userId = /^[A-Za-z0-9._@|:+=-]{1,64}$/;

function AddByName({ room, onAdded }: { room: Room; onAdded: () => void }) {
  const { request } = useApi();
  const [typed, setTyped] = useState("");
  const query = useSettled(typed.trim());
  const found = useLoad(query, async () =>
    query
      ? (await request("GET", `/people?${new URLSearchParams({ name: query, limit: `${shownMatches}` })}`)).items
      : []);
  const people = found.value ?? [];
  const cards: Cards = Object.fromEntries(people.map(p => [p.user, p]));
  const [user, setUser] = useState("");
  const [added, setAdded] = useState("");
  const form = useForm(["user"], async () => {
    const chosen = user || typed.trim();
    await request("PUT", `/rooms/${encodeURIComponent(room.id)}/members/${encodeURIComponent(chosen)}`, {
      role: "member",
    });
    setAdded(`${cards[chosen]?.name ?? chosen} was added.`);
    setTyped("");
    setUser("");
    onAdded();
  });
  const byId = userId.test(query) && !people.some(p => p.user === query);
  const matches = [...people, ...(byId ? [{ user: query, name: query }] : [])];
  return (
    <form class="p-form" ref={form.ref} aria-label="Add somebody" onSubmit={form.onSubmit} noValidate>
      <TextField
        form={form}
        name="user"
        label="Add somebody"
        hint="Type the start of a name, or a user id"
        value={typed}
        onValue={setTyped}
        autofocus
      />
      {form.faults.form && <p class="alert" role="alert">{form.faults.form}</p>}
      <p role="status" class="small">{added}</p>
      {found.error && <p class="alert" role="alert">{found.error}</p>}
      <ul>{matches.map(p => (
        <PersonRow key={p.user} user={p.user} name={p.name} cards={cards} about={p.name !== p.user && p.user}>
          <button type="submit" class="button plain" aria-label={`Add ${p.name}`} onClick={() => setUser(p.user)}>
            Add
          </button>
        </PersonRow>
      ))}</ul>
    </form>
  );
}

/** Returns a text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function Links({ room }: { room: Room }) {
  const page = usePage();
  const { request } = useApi();
  const pages = usePages<InvitePage>(`/rooms/${encodeURIComponent(room.id)}/invites`);
  const [created, setCreated] = useState<CreatedInvite | null>(null);
  const [seconds, setSeconds] = useState(usualLife);
  const [uses, setUses] = useState(`${usualUses}`);
  const form = useForm(["expires", "maxUses"], async () => {
    const expires = endOf(page.now(), seconds);
    setCreated(await request("POST", `/rooms/${encodeURIComponent(room.id)}/invites`, {
      ...(expires && { expires }), maxUses: Number(uses),
    }));
    pages.reload();
  });
  return (
    <section class="p-links" aria-label="Invitation links">
      <h3>Invitation links</h3>
      {created ? (
        <CopyField label="Copy the link now: it is shown only once" what="link" value={linkOf(created)} focused />
      ) : (
        <FormBody form={form} label="Create a link" action="Create a link">
          <SelectField
            form={form}
            name="expires"
            label="Valid for"
            value={seconds}
            choices={inviteDurations}
            onValue={setSeconds}
          />
          <TextField form={form} name="maxUses" label="How many people can use it" value={uses} onValue={setUses} />
        </FormBody>
      )}
      <LiveLinks room={room} pages={pages} newest={created?.id} />
    </section>
  );
}

function LiveLinks({ room, pages, newest }: {
  room: Room; pages: ReturnType<typeof usePages<InvitePage>>; newest: string | undefined;
}) {
  const page = usePage();
  const { request } = useApi();
  const people = useCards(room, (pages.value ?? []).flatMap(p => p.items).map(i => i.createdBy));
  const [error, setError] = useState("");
  const revoke = async (id: string) => {
    try {
      await request("DELETE", `/rooms/${encodeURIComponent(room.id)}/invites/${encodeURIComponent(id)}`);
      pages.reload();
    } catch (e) {
      setError(explain(e));
    }
  };
  return (
    <Shown loaded={pages}>{value => (
      <>
        {error && <p class="alert" role="alert">{error}</p>}
        <ul>{value.flatMap(p => p.items).map(i => (
          <li key={i.id} class="p-person">
            <div class="p-name small">
              <div>Used {i.uses} of {i.maxUses} times{i.id === newest && ", new"}</div>
              <div class="quiet">by <bdi>{nameOf(page, people, i.createdBy)}</bdi>, until <Time at={i.expires} /></div>
            </div>
            <Plain aria-label={revokeWords(i, nameOf(page, people, i.createdBy))} onClick={() => void revoke(i.id)}>
              Revoke
            </Plain>
          </li>
        ))}</ul>
        <More pages={pages} what="links" />
      </>
    )}</Shown>
  );
}

/** The label of the button that revokes a link of a person. */
const revokeWords = ({ uses, maxUses }: InvitePage["items"][number], by: string): string =>
  `Revoke the link of ${by}, used ${uses} of ${maxUses} times`;
