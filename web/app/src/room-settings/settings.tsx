// The settings of a room. Only its owners can change them.
import type { Room } from "@parley/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { mayConfigure } from "../access/rights.js";
import { useApi, useChanges, useLoad } from "../api/load.js";
import type { RoomInfo, RoomSettings } from "../api/types.js";
import { nameOf } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { capital, changed, type Choice, placeOf, placeText, slowModes } from "../ui/forms.js";
import { lazy } from "../ui/lazy.js";
import { Check, type Form, FormBody, SelectField, Shown, TextField, useForm } from "../ui/parts.js";
import { Archive, Delete, Membership } from "./membership.js";

const Programs = lazy(() => import("./programs.js"));

export function Settings({ room, name, onClose }: { room: Room; name: string; onClose: () => void }) {
  const { request } = useApi();
  const loaded = useLoad(room.id, () => request("GET", `/rooms/${encodeURIComponent(room.id)}?include=count,people`));
  useChanges(room.id, ["room.changed", "member.changed"], loaded.reload);
  const [programs, setPrograms] = useState<"closed" | "open" | "left">("closed");
  return (
    <Shown loaded={loaded}>{info => programs === "open" && mayConfigure(info.me?.role ?? "", info) ? (
      <Programs room={room} info={info} onBack={() => setPrograms("left")} />
    ) : (
      <>
        {mayConfigure(info.me?.role ?? "", info)
          ? <Edit info={info} onSaved={loaded.reload} />
          : <Facts info={info} />}
        <Membership info={info} name={name} onChanged={loaded.reload} onClose={onClose} />
        {mayConfigure(info.me?.role ?? "", info) && (
          <>
            <Connect focused={programs === "left"} onOpen={() => setPrograms("open")} />
            <Archive info={info} name={name} onChanged={loaded.reload} />
            <Delete info={info} name={name} onClose={onClose} />
          </>
        )}
      </>
    )}</Shown>
  );
}

/** The way to the room's programs, which takes the focus when the person comes back from there. */
function Connect({ focused, onOpen }: { focused: boolean; onOpen: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => { if (focused) button.current?.focus(); }, []);
  return (
    <section class="p-section" aria-label="Connect other programs">
      <h3>Connect other programs</h3>
      <p class="small quiet">Programs can write here, such as alerts, and receive what changes.</p>
      <div class="acts">
        <button type="button" class="button plain" ref={button} onClick={onOpen}>Connect other programs</button>
      </div>
    </section>
  );
}

const postings = [
  { value: "everyone", label: "Everyone, even without joining" }, { value: "members", label: "Members" },
  { value: "moderators", label: "Moderators and owners" },
];
const grants = postings.slice(1);
const labelOf = (value: string) => postings.find(p => p.value === value)?.label;

const visibilities = {
  public: "Public: everyone can find and read this room.",
  private: "Private: only people who are in the room see it.",
};

/** The settings that the form shows: all but a few, whose reasons are in web/test/panels.test.mjs. */
type Shape = Required<Omit<RoomSettings, "archived" | "metadata" | "shards" | "visibility">>;

function settingsOf(info: RoomInfo): Shape {
  const { name, topic, posting, roomMentions, pinning, slowModeSeconds, receipts, systemMessages } = info;
  return {
    name, topic, posting, roomMentions, pinning, slowModeSeconds, receipts, systemMessages, place: info.place ?? [],
  };
}

const linesHint = "Messages say who joins, leaves, is added or removed, and when the name or topic changes. "
  + "They never count as unread.";
const placeHint = "Where the room belongs, so that people find it by place. Largest first, such as USA / WA / Seattle. "
  + "Leave empty for none.";

function Edit({ info, onSaved }: { info: RoomInfo; onSaved: () => void }) {
  const { toast } = usePage();
  const { request } = useApi();
  const current = settingsOf(info);
  const [before, setBefore] = useState(current);
  const [draft, setDraft] = useState(current);
  const [place, setPlace] = useState(placeText(current.place));
  const set = (part: Partial<Shape>) => setDraft({ ...draft, ...part });
  const edits = changed(before, { ...draft, place: placeOf(place) });
  const follow = () => { setBefore(current); setDraft(current); setPlace(placeText(current.place)); };
  // Changes by others are shown until the person begins an edit. Only the person's changes are sent.
  useEffect(() => { if (!Object.keys(edits).length) follow(); }, [JSON.stringify(current)]);
  const form = useForm(Object.keys(current), async () => {
    if (!Object.keys(edits).length) return toast("Nothing has changed.");
    await request("PATCH", `/rooms/${encodeURIComponent(info.id)}`, edits);
    setBefore({ ...before, ...edits });
    toast("Settings saved.");
    onSaved();
  });
  const disabled = info.archived;
  const part = { form, draft, disabled, set };
  return (
    <FormBody form={form} label="Settings of the room" action="Save" ready={!disabled}>
      {disabled && <p>The room is archived. Reopen it to change its settings.</p>}
      <p class="small quiet">{visibilities[info.visibility]}</p>
      <Names {...part} />
      <Rights {...part} offered={slowModes(info.slowModeSeconds)} />
      <Habits {...part} />
      {info.visibility === "public" && (
        <TextField
          form={form}
          name="place"
          label="Place"
          hint={placeHint}
          value={place}
          disabled={disabled}
          onValue={setPlace}
        />
      )}
    </FormBody>
  );
}

/** What each part of the form shows and changes. */
interface Part {
  readonly form: Form;
  readonly draft: Shape;
  readonly disabled: boolean;
  set(part: Partial<Shape>): void;
}

function Names({ form, draft, disabled, set }: Part) {
  return (
    <>
      <TextField
        form={form}
        name="name"
        label="Name"
        value={draft.name}
        disabled={disabled}
        onValue={v => set({ name: v })}
      />
      <TextField
        form={form}
        name="topic"
        label="Topic"
        rows={2}
        value={draft.topic}
        disabled={disabled}
        onValue={v => set({ topic: v.replace(/\s*\n\s*/g, " ") })}
      />
    </>
  );
}

/** Who may do what, and how often. */
function Rights({ form, draft, disabled, set, offered }: Part & { offered: readonly Choice[] }) {
  return (
    <>
      <SelectField
        form={form}
        name="posting"
        label="Who may write"
        value={draft.posting}
        choices={postings}
        disabled={disabled}
        onValue={v => set({ posting: v as Shape["posting"] })}
      />
      <SelectField
        form={form}
        name="roomMentions"
        label="Who may mention everyone"
        value={draft.roomMentions}
        choices={grants}
        disabled={disabled}
        onValue={v => set({ roomMentions: v as Shape["roomMentions"] })}
      />
      <SelectField
        form={form}
        name="pinning"
        label="Who may pin messages"
        value={draft.pinning}
        choices={grants}
        disabled={disabled}
        onValue={v => set({ pinning: v as Shape["pinning"] })}
      />
      <SelectField
        form={form}
        name="slowModeSeconds"
        label="Slow mode"
        hint="How long each person waits between messages. Moderators and owners do not."
        value={`${draft.slowModeSeconds}`}
        choices={offered}
        disabled={disabled}
        onValue={v => set({ slowModeSeconds: Number(v) })}
      />
    </>
  );
}

function Habits({ draft, disabled, set }: Part) {
  return (
    <>
      <Check
        label="Read receipts"
        hint="The list of people shows when each has last read here, in rooms of up to 50 people."
        checked={draft.receipts}
        disabled={disabled}
        onValue={v => set({ receipts: v })}
      />
      <Check
        label="Lines about the room"
        hint={linesHint}
        checked={draft.systemMessages}
        disabled={disabled}
        onValue={v => set({ systemMessages: v })}
      />
    </>
  );
}

/** The settings as a list, for people who may not change them. */
function Facts({ info }: { info: RoomInfo }) {
  const page = usePage();
  if (info.kind === "direct") return <p class="p-state">Only {directNames(page, info)} see this conversation.</p>;
  const facts: [string, string | undefined][] = [
    ["Topic", info.topic], ["Who can see it", visibilities[info.visibility]],
    ["Who may write", info.archived ? "Nobody: the room is archived" : labelOf(info.posting)],
    ["Who may mention everyone", info.archived ? "" : labelOf(info.roomMentions)],
    ["Who may pin messages", info.archived ? "" : labelOf(info.pinning)],
    [
      "Slow mode",
      info.slowModeSeconds
        ? slowModes(info.slowModeSeconds).find(c => c.value === `${info.slowModeSeconds}`)?.label
        : "",
    ],
    ["Place", placeText(info.place ?? [])], ["Created by", nameOf(page, info.people ?? {}, info.createdBy)],
    ["Your role", info.me ? capital(info.me.role) : "None: you have not joined"],
  ];
  return (
    <dl class="p-facts">{facts.filter(([, value]) => value).map(([term, value]) => (
      <div key={term}><dt>{term}</dt><dd dir="auto">{value}</dd></div>
    ))}</dl>
  );
}

function directNames(page: Page, info: RoomInfo): string {
  const names = (info.direct ?? []).map(user =>
    (user === page.me.value ? "you" : nameOf(page, info.people ?? {}, user)));
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}
