// The drawer of ?dev: the page's requests, as commands for a shell, its frames, and a local server's deliveries.
import type { Trace } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";
import { curl, frameOf, type Operation, operationOf, operations, tokenCommand } from "./curl.js";
import { Deliveries } from "./deliveries.js";

const mostRequests = 20;
const mostFrames = 40; // a few screens; older ones are of little use
const clock = new Intl.DateTimeFormat("en", {
  hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});

const docsOf = ({ config }: Page): URL => new URL(config.value?.docs || "/docs", location.href);

/** Loads the operations of the server's API document, into which the links lead. */
function useOperations(): readonly Operation[] {
  const page = usePage();
  const [all, setAll] = useState<readonly Operation[]>([]);
  useEffect(() => {
    void (async () => {
      const answer = await fetch(new URL("openapi.json", docsOf(page)));
      setAll(operations((await answer.json()) as Parameters<typeof operations>[0]));
    })().catch(() => undefined); // the links lead to the page's top then
  }, []);
  return all;
}

function Line({ text, label }: { text: string; label: string }) {
  const { toast, toastError } = usePage();
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    toast("Copied.");
  };
  return (
    <div class="line">
      <pre tabIndex={0}><code>{text}</code></pre>
      <button type="button" class="button plain small" aria-label={label} onClick={() => void copy().catch(toastError)}>
        Copy
      </button>
    </div>
  );
}

/** The last requests and frames, newest first. */
export default function Drawer() {
  const page = usePage();
  const [open, setOpen] = useState(true);
  const all = useOperations();
  const newest = [...useValue(page.traces)].reverse();
  const requests = newest.filter(t => t.kind === "request").slice(0, mostRequests);
  const frames = newest.filter(t => t.kind !== "request").slice(0, mostFrames);
  const isLocal = page.config.value?.signIn.kind === "local";
  const token = isLocal ? tokenCommand(page.me.value) : "TOKEN=…";
  return (
    <aside class={open ? "drawer" : "drawer shut"} aria-label="Requests">
      <div class="top">
        <h2>Requests</h2>
        <a href={docsOf(page).href} target="_blank">All operations</a>
        <button type="button" class="button plain small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide" : "Show"}
        </button>
      </div>
      {open && (
        <div class="columns">
          <section aria-label="HTTP">
            <Line text={token} label="Copy the line that sets TOKEN" />
            <ol>{requests.map(t => <li key={t.at.getTime() + t.path}><RequestRow trace={t} all={all} /></li>)}</ol>
          </section>
          <section aria-label="Socket">
            <ol>{frames.map((t, i) => <li key={frames.length - i}><FrameRow trace={t} /></li>)}</ol>
          </section>
          {isLocal && <Deliveries />}
        </div>
      )}
    </aside>
  );
}

function RequestRow({ trace: t, all }: { trace: Extract<Trace, { kind: "request" }>; all: readonly Operation[] }) {
  const { config } = usePage();
  const id = operationOf(all, t.method, t.path);
  return (
    <>
      <p class="small">
        <Operation id={id} text={id ?? t.method} /> <span class={t.status >= 400 || !t.status ? "alert" : "quiet"}>
          {t.status || "no answer"}, {Math.round(t.ms)} ms, {clock.format(t.at)}
        </span>
      </p>
      <Line text={curl(config.value?.api || location.origin, t)} label={`Copy ${t.method} ${t.path}`} />
    </>
  );
}

function FrameRow({ trace: t }: { trace: Extract<Trace, { kind: "sent" | "received" }> }) {
  const { type, operation } = frameOf(t.frame);
  return (
    <>
      <p class="small">
        <Operation id={operation} text={type} /> <span class="quiet">{t.kind}, {clock.format(t.at)}</span>
      </p>
      <Line text={t.frame} label={`Copy the frame ${type}`} />
    </>
  );
}

/** A link to an operation, or to the description of the frames if there is no such operation. */
function Operation({ id, text }: { id: string | undefined; text: string }) {
  const docs = docsOf(usePage());
  const to = id ? Object.assign(docs, { hash: id }) : new URL("asyncapi.json", docs);
  return <a href={to.href} target="_blank">{text}</a>;
}
