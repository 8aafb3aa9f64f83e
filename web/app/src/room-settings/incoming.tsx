// Incoming webhooks: addresses at which other programs write into a room.
import type { People, Room } from "@parley/client";
import { useState } from "preact/hooks";
import { useApi, useLoad } from "../api/load.js";
import type { Incoming as Webhook, RoomInfo } from "../api/types.js";
import { useCards } from "../people/cards.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { CopyField } from "../ui/copy-field.js";
import { Confirm, FormBody, Plain, Sheet, Shown, TextField, Time, useForm } from "../ui/parts.js";

/** The most webhooks of a room. */
const most = 5;

const pathOf = (room: string) => `/rooms/${encodeURIComponent(room)}/incoming` as const;
const pathOfOne = ({ room, id }: Webhook) => `/rooms/${encodeURIComponent(room)}/incoming/${id}` as const;

/** What is asked about a webhook, or about a new one. */
type Question = { readonly ask: "add" } | { readonly ask: "replace" | "remove"; readonly webhook: Webhook };

export function Incoming({ room, info }: { room: Room; info: RoomInfo }) {
  const { toast } = usePage();
  const { request } = useApi();
  const loaded = useLoad(info.id, async () => (await request("GET", `${pathOf(info.id)}`)).items);
  const people = useCards(room, (loaded.value ?? []).map(w => w.createdBy));
  const [question, setQuestion] = useState<Question | null>(null);
  const remove = async (webhook: Webhook) => {
    await request("DELETE", pathOfOne(webhook));
    toast(`${webhook.name} was removed.`);
    loaded.reload();
  };
  const close = () => setQuestion(null);
  return (
    <section class="p-section" aria-label="Programs that write here">
      <h4>Programs that write here</h4>
      <p class="small quiet">
        Each posts messages at an address of its own, an incoming webhook, and can read nothing.
      </p>
      <Shown loaded={loaded}>{webhooks => (
        <>
          <ul>{webhooks.map(w => <Card key={w.id} webhook={w} people={people} onAsk={setQuestion} />)}</ul>
          {!info.archived && (webhooks.length < most
            ? <div class="acts"><Plain onClick={() => setQuestion({ ask: "add" })}>Add an incoming webhook</Plain></div>
            : <p class="small quiet">A room has at most {most}.</p>)}
        </>
      )}</Shown>
      {question?.ask === "add" && <Add room={info.id} onAdded={loaded.reload} onClose={close} />}
      {question?.ask === "replace" && <Replace webhook={question.webhook} onClose={close} />}
      {question?.ask === "remove" && (
        <Confirm
          title={`Remove ${question.webhook.name}?`}
          text="Its address posts nothing any more, for good. Its messages stay."
          action="Remove"
          onConfirm={() => remove(question.webhook)}
          onClose={close}
        />
      )}
    </section>
  );
}

function Card({ webhook, people, onAsk }: { webhook: Webhook; people: People; onAsk: (q: Question) => void }) {
  const page = usePage();
  const { name, createdBy, createdAt } = webhook;
  return (
    <li class="p-card">
      <div>
        <b dir="auto">{name}</b>
        <p class="small quiet">
          Added by <bdi>{nameOf(page, people, createdBy)}</bdi>, <Time at={createdAt} />
        </p>
      </div>
      <div class="acts">
        <Plain aria-label={`New address for ${name}`} onClick={() => onAsk({ ask: "replace", webhook })}>
          New address
        </Plain>
        <Plain aria-label={`Remove ${name}`} onClick={() => onAsk({ ask: "remove", webhook })}>Remove</Plain>
      </div>
    </li>
  );
}

function Add({ room, onAdded, onClose }: { room: string; onAdded: () => void; onClose: () => void }) {
  const { request } = useApi();
  const [name, setName] = useState("");
  const [secret, setSecret] = useState("");
  const form = useForm(["name"], async () => {
    setSecret((await request("POST", pathOf(room), { name: name.trim() })).secret);
    onAdded();
  });
  return (
    <Sheet title={secret ? `The address of ${name.trim()}` : "Add an incoming webhook"} onClose={onClose}>
      {secret ? <Address secret={secret} onClose={onClose} /> : (
        <FormBody
          form={form}
          label="Add an incoming webhook"
          action="Add"
          ready={name.trim() !== ""}
          onCancel={onClose}
        >
          <TextField
            form={form}
            name="name"
            label="Name"
            hint="People see it as the sender of the program's messages, such as Alerts."
            value={name}
            onValue={setName}
            autofocus
          />
        </FormBody>
      )}
    </Sheet>
  );
}

function Replace({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { request } = useApi();
  const [secret, setSecret] = useState("");
  const form = useForm([], async () => setSecret((await request("POST", `${pathOfOne(webhook)}/secret`)).secret));
  const title = secret ? `The new address of ${webhook.name}` : `Replace the address of ${webhook.name}?`;
  return (
    <Sheet title={title} alert={!secret} onClose={onClose}>
      {secret ? <Address secret={secret} onClose={onClose} /> : (
        <FormBody form={form} label={title} action="Replace" danger onCancel={onClose}>
          <p>The program posts nothing any more, until it has the new address.</p>
        </FormBody>
      )}
    </Sheet>
  );
}

/** The address of a webhook. Only the answer that creates or replaces it has the secret. */
function Address({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { config } = usePage();
  const address = `${config.value?.api || location.origin}/in/${secret}`;
  const command = `curl -sS '${address}' -H 'Content-Type: application/json' -d '{"text": "Hello"}'`;
  return (
    <div class="p-form">
      <CopyField label="Copy the address now: it is shown only once" what="address" value={address} focused />
      <p class="small quiet">
        Enter it in the program, in place of an address of Slack's incoming webhooks. Keep it secret: with it anybody
        can write here.
      </p>
      <CopyField label="Or try it in a terminal" what="command" value={command} />
      <div class="acts"><Plain onClick={onClose}>Done</Plain></div>
    </div>
  );
}
