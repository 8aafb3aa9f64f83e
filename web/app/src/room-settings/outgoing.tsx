// The hooks of a room: programs to whose addresses its changes are sent.
import { RequestError, type Room } from "@parley/client";
import { useState } from "preact/hooks";
import { useAttempt } from "../api/attempt.js";
import { useApi, useLoad } from "../api/load.js";
import type { HookSettings, HookState, RoomInfo } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { CopyField } from "../ui/copy-field.js";
import { slug } from "../ui/forms.js";
import { Menu } from "../ui/menu.js";
import { Confirm, FormBody, Plain, Sheet, Shown, TextField, Time, useForm } from "../ui/parts.js";

/** The most hooks of a room. */
const most = 5;
/** How often the page looks for the answer to a test, and the pause before each look in milliseconds. */
const looks = 20, lookPause = 1000;

const pathOf = (room: string) => `/rooms/${encodeURIComponent(room)}/hooks` as const;
const pathOfOne = (room: string, id: string) => `/rooms/${encodeURIComponent(room)}/hooks/${id}` as const;

/** What is asked about a hook, or about a new one. */
type Question = { readonly ask: "add" } | { readonly ask: "secret" | "delete"; readonly hook: HookState };

/** The hooks, or why the room can have none; empty where the deployment has none of rooms. */
type Hooks = readonly HookState[] | string;

export function Outgoing({ room, info }: { room: Room; info: RoomInfo }) {
  const { toast } = usePage();
  const { request } = useApi();
  const load = async (): Promise<Hooks> => {
    try {
      const { items } = await request("GET", pathOf(info.id));
      return await Promise.all(items.map(h => request("GET", pathOfOne(info.id, h.id))));
    } catch (e) {
      if (!(e instanceof RequestError) || (e.status !== 403 && e.status !== 404)) throw e;
      return e.status === 403 ? e.message : "";
    }
  };
  const loaded = useLoad(info.id, load);
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setQuestion(null);
  const remove = async (id: string) => {
    await request("DELETE", pathOfOne(info.id, id));
    toast(`${id} was deleted.`);
    loaded.reload();
  };
  if (loaded.value === "") return null;
  return (
    <section class="p-section" aria-label="Programs that receive changes">
      <h4>Programs that receive changes</h4>
      <Shown loaded={loaded}>{hooks => typeof hooks === "string" ? <p class="small quiet">{hooks}</p> : (
        <List room={room} info={info} hooks={hooks} onAsk={setQuestion} onChanged={loaded.reload} />
      )}</Shown>
      {question?.ask === "add" && (
        <Add room={info.id} taken={ids(loaded.value)} onClose={() => { close(); loaded.reload(); }} />
      )}
      {question?.ask === "secret" && <NewSecret room={info.id} id={question.hook.id} onClose={close} />}
      {question?.ask === "delete" && (
        <Confirm
          title={`Delete ${question.hook.id}?`}
          text="The program gets no more changes, and none of those that wait."
          action="Delete"
          onConfirm={() => remove(question.hook.id)}
          onClose={close}
        />
      )}
    </section>
  );
}

const ids = (hooks: Hooks | undefined): readonly string[] => (Array.isArray(hooks) ? hooks.map(h => h.id) : []);

function List({ room, info, hooks, onAsk, onChanged }: {
  room: Room; info: RoomInfo; hooks: readonly HookState[]; onAsk: (q: Question) => void; onChanged: () => void;
}) {
  const page = usePage();
  const people = useCards(room, hooks.flatMap(h => h.putBy ?? []));
  return (
    <>
      <p class="small quiet">All that changes here is sent to an address of theirs, in order.</p>
      <ul>{hooks.map(h => (
        <Card
          key={h.id}
          room={info.id}
          hook={h}
          by={nameOf(page, people, h.putBy ?? "")}
          onAsk={onAsk}
          onChanged={onChanged}
        />
      ))}</ul>
      {!info.archived && (hooks.length < most
        ? <div class="acts"><Plain onClick={() => onAsk({ ask: "add" })}>Add an address</Plain></div>
        : <p class="small quiet">A room has at most {most}.</p>)}
    </>
  );
}

function Card({ room, hook, by, onAsk, onChanged }: {
  room: string; hook: HookState; by: string; onAsk: (q: Question) => void; onChanged: () => void;
}) {
  const { request } = useApi();
  const { toast } = usePage();
  const { attempt, refusal, busy } = useAttempt();
  const path = pathOfOne(room, hook.id);
  const challenge = hook.state === "unverified" ? "Send the challenge again" : "Send a test";
  const enable = async (enabled: boolean) => {
    const { url = "", types } = hook as HookSettings; // all else stays
    await request("PUT", path, { url, ...(types && { types }), enabled });
    toast(enabled ? `${hook.id} is on.` : `${hook.id} is off.`);
    onChanged();
  };
  const test = async () => {
    await request("POST", `${path}/test`);
    for (let n = 0; n < looks; n++) {
      await new Promise(resolve => setTimeout(resolve, lookPause));
      const now = await request("GET", path);
      if (now.testedAt === hook.testedAt) continue;
      toast(outcome(hook, now));
      return onChanged();
    }
    toast("It was not sent yet.");
  };
  const menu = () => [
    hook.enabled && hook.state !== "disabled"
      ? { label: "Switch off", run: () => attempt(() => enable(false)) }
      : { label: "Switch on", run: () => attempt(() => enable(true)) },
    { label: "New secret", run: () => onAsk({ ask: "secret", hook }) },
    { label: "Delete", danger: true, run: () => onAsk({ ask: "delete", hook }) },
  ];
  return (
    <li class="p-card">
      <div>
        <div class="p-title"><b>{hook.id}</b><Menu label={`Actions for ${hook.id}`} items={menu} /></div>
        <p class="small quiet">{hook.url}</p>
        <State hook={hook} />
        <p class="small quiet">It ends when <bdi>{by}</bdi> no longer owns the room.</p>
      </div>
      {refusal && <p class="alert small" role="alert">{refusal}</p>}
      <div class="acts">
        <Plain
          aria-label={`${challenge} to ${hook.id}`}
          aria-disabled={busy}
          onClick={() => { if (!busy) attempt(test); }}
        >
          {challenge}
        </Plain>
      </div>
    </li>
  );
}

/** Returns what a test or a challenge has shown. */
function outcome(before: HookState, { state, test }: HookState): string {
  if (before.state !== "unverified") return `The receiver answered: ${test}.`;
  return state === "unverified"
    ? `The challenge failed: ${test}.`
    : "The address is confirmed. Changes are sent to it.";
}

/** The state of a hook in words, what waits, and what failed last. */
function State({ hook }: { hook: HookState }) {
  const { since, test, testedAt, failures = [] } = hook;
  const troubled = hook.state === "disabled" || hook.state === "paused" || hook.state === "unverified";
  return (
    <>
      <p class={troubled ? "small alert" : "small"}><Status hook={hook} /></p>
      {since && <p class="small quiet">Changes wait since <Time at={since} /></p>}
      {test && testedAt && <p class="small quiet">Last test, <Time at={testedAt} />: {test}</p>}
      {failures.length > 0 && (
        <details class="small quiet">
          <summary>Last failures</summary>
          <ul>{failures.map(f => (
            <li key={f.at}>
              <Time at={f.at} />: {f.reason}{f.seq !== undefined && `, change ${f.seq} was left out`}
            </li>
          ))}</ul>
        </details>
      )}
    </>
  );
}

function Status({ hook }: { hook: HookState }) {
  switch (hook.state) {
    case "unverified": return <>Not confirmed yet: the receiver must answer a challenge</>;
    case "paused": return <>Paused after a failure{hook.pausedUntil && <>, until <Time at={hook.pausedUntil} /></>}</>;
    case "disabled": return <>Switched off, because {hook.disabledFor}</>;
    case "off": return <>Off: changes wait</>;
    default: return <>Sending</>;
  }
}

function Add({ room, taken, onClose }: { room: string; taken: readonly string[]; onClose: () => void }) {
  const { request } = useApi();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [secret, setSecret] = useState("");
  const id = slug(name);
  const isTaken = taken.includes(id);
  const form = useForm(["url"], async () => {
    setSecret((await request("PUT", pathOfOne(room, id), { url: url.trim() })).secret ?? "");
  });
  return (
    <Sheet title={secret ? `The secret of ${id}` : "Send changes to an address"} onClose={onClose}>
      {secret ? <Secret secret={secret} fresh onClose={onClose} /> : (
        <FormBody
          form={form}
          label="Send changes to an address"
          action="Add"
          ready={id !== "" && !isTaken && url.trim() !== ""}
          onCancel={onClose}
        >
          <TextField
            form={form}
            name="hook"
            label="Name"
            hint={isTaken ? `The room has ${id} already.` : "Letters a to z and digits, such as build-mirror."}
            value={name}
            onValue={setName}
            autofocus
          />
          <TextField
            form={form}
            name="url"
            label="Address"
            hint="It begins with https://."
            value={url}
            onValue={setUrl}
          />
        </FormBody>
      )}
    </Sheet>
  );
}

function NewSecret({ room, id, onClose }: { room: string; id: string; onClose: () => void }) {
  const { request } = useApi();
  const [secret, setSecret] = useState("");
  const form = useForm([], async () => setSecret((await request("POST", `${pathOfOne(room, id)}/secret`)).secret));
  const title = secret ? `The new secret of ${id}` : `Replace the secret of ${id}?`;
  return (
    <Sheet title={title} alert={!secret} onClose={onClose}>
      {secret ? <Secret secret={secret} onClose={onClose} /> : (
        <FormBody form={form} label={title} action="Replace" danger onCancel={onClose}>
          <p>For a day requests are signed by both, so that the program can take the new one meanwhile.</p>
        </FormBody>
      )}
    </Sheet>
  );
}

/** The secret of a hook, which only one answer has. A fresh one is of a new hook. */
function Secret({ secret, fresh, onClose }: { secret: string; fresh?: boolean; onClose: () => void }) {
  return (
    <div class="p-form">
      <CopyField label="Copy the secret now: it is shown only once" what="secret" value={secret} focused />
      <p class="small quiet">
        The program checks the signatures of requests with it.{fresh && (
          " It gets changes once it has answered a challenge. Send that again when the program runs."
        )}
      </p>
      <div class="acts"><Plain onClick={onClose}>Done</Plain></div>
    </div>
  );
}
