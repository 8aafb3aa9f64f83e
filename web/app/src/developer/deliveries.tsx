// The last requests of a local server to the receivers of hooks.
import { useEffect, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";

/** Only a local server has this path, where people sign in by name. */
const path = "/local/deliveries";
/** The pause between two looks, in milliseconds. */
const every = 2000;
const clock = new Intl.DateTimeFormat("en", {
  hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});

/** A request to a receiver, without what it sent. */
interface Delivery {
  readonly number: number;
  readonly at: string;
  readonly ms: number;
  readonly hook: string;
  /** Whose hook it is: a service or a room. */
  readonly service?: string;
  readonly room?: string;
  readonly type: string;
  readonly rooms: readonly string[];
  readonly changes: number;
  readonly try: number;
  readonly answer: string;
  readonly ok: boolean;
}

function ask(to: string, body: object): Promise<Response> {
  return fetch(to, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** Returns the requests, newest first, as long as there is a connection. */
function useDeliveries(): readonly Delivery[] {
  const now = useValue(usePage().connection);
  const [all, setAll] = useState<readonly Delivery[]>([]);
  const connected = now === "online" || now === "polling";
  useEffect(() => {
    if (!connected) return undefined;
    const look = async () => {
      const answer = await ask(path, {});
      if (answer.ok) setAll(((await answer.json()) as { items: readonly Delivery[] }).items);
    };
    const start = () => void look().catch(() => undefined); // the next look may succeed
    start();
    const timer = setInterval(start, every);
    return () => clearInterval(timer);
  }, [connected]);
  return all;
}

export function Deliveries() {
  const all = useDeliveries();
  return (
    <section aria-label="Deliveries">
      <h3 class="small">Deliveries to hooks</h3>
      {!all.length && <p class="small quiet">None yet.</p>}
      <ol>{all.map(d => <li key={d.number}><Row delivery={d} /></li>)}</ol>
    </section>
  );
}

function Row({ delivery: d }: { delivery: Delivery }) {
  const { toast, toastError } = usePage();
  const replay = async () => {
    const answer = await ask(`${path}/replay`, { number: d.number });
    if (!answer.ok) throw new Error(((await answer.json()) as { detail: string }).detail);
    toast("The changes since an hour before are sent again.");
  };
  const count = d.changes === 1 ? "1 change" : `${d.changes} changes`;
  const details = [
    d.room ? `of room ${d.room}` : `of ${d.service}`,
    d.type === "changes" && `${count} in ${d.rooms.join(", ")}`,
    d.try > 1 && `try ${d.try}`,
  ];
  return (
    <div class="line">
      <div>
        <p class="small">
          <b>{d.hook}</b>, {d.type} <span class={d.ok ? "quiet" : "alert"}>
            {d.answer}, {d.ms} ms, {clock.format(new Date(d.at))}
          </span>
        </p>
        <p class="small quiet">{details.filter(Boolean).join(", ")}</p>
      </div>
      <button
        type="button"
        class="button plain small"
        aria-label={`Replay the hour before ${d.hook} at ${clock.format(new Date(d.at))}`}
        title="Sends what changed since an hour before"
        onClick={() => void replay().catch(toastError)}
      >
        Replay
      </button>
    </div>
  );
}
