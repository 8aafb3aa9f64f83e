import type { People as Cards, Room } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { useAttempt } from "../api/attempt.js";
import { useApi, useLoad, usePages } from "../api/load.js";
import type { Report, ReportPage } from "../api/types.js";
import { Files } from "../files/files.js";
import { nameOf } from "../state/names.js";
import { usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { Check, More, Plain, Shown, Time } from "../ui/parts.js";
import { useCards } from "./cards.js";
import { countOpen, openOf } from "./report-count.js";

/** A page is small, because the message of each report is a request. */
const reportsPerPage = 20;

/** The reports of a room's messages, for its moderators. */
export function Reports({ room }: { room: Room }) {
  const page = usePage();
  const { toast } = page;
  const { request } = useApi();
  const [all, setAll] = useState(false);
  const pages = usePages<ReportPage>(`/rooms/${encodeURIComponent(room.id)}/reports`, reportsPerPage);
  const people = useCards(
    room,
    (pages.value ?? [])
      .flatMap(p => p.items)
      .flatMap(r => [r.reporter, senderOf(r.message), ...(r.resolvedBy ? [r.resolvedBy] : [])]),
  );
  const resolve = async (r: Report) => {
    await request("PATCH", `/rooms/${encodeURIComponent(room.id)}/reports/${encodeURIComponent(r.id)}`, {
      resolved: true,
    });
    toast("Report resolved.");
    pages.reload();
  };
  useEffect(() => { void countOpen(page, room.id).catch(() => undefined); }, [pages.value]);
  return (
    <Shown loaded={pages}>{value => {
      const reports = value.flatMap(p => p.items);
      const shown = all ? reports : openOf(reports);
      return (
        <>
          {reports.some(r => r.resolvedAt) && <Check label="Show resolved reports" checked={all} onValue={setAll} />}
          <ul>{shown.map(r => <Entry key={r.id} report={r} room={room} people={people} onResolve={resolve} />)}</ul>
          {!shown.length && <p class="p-state">No open reports.</p>}
          <More pages={pages} what="reports" />
        </>
      );
    }}</Shown>
  );
}

/** Returns the sender of a message, whose user id follows the first ~ of its id. */
export const senderOf = (message: string) => message.slice(message.indexOf("~") + 1);

function Entry({ report, room, people, onResolve }: {
  report: Report; room: Room; people: Cards; onResolve: (r: Report) => Promise<void>;
}) {
  const page = usePage();
  const { attempt, refusal } = useAttempt();
  const by = nameOf(page, people, report.reporter);
  return (
    <li class="p-card">
      <Quoted room={room} message={report.message} people={people} />
      <p dir="auto">{report.reason}</p>
      <p class="small quiet"><bdi>{by}</bdi>, <Time at={report.createdAt} /></p>
      {report.resolvedAt
        ? (
          <p class="small quiet">
            Resolved by <bdi>{nameOf(page, people, report.resolvedBy ?? "")}</bdi>, <Time at={report.resolvedAt} />
          </p>
        )
        : (
          <div class="acts">
            <Plain aria-label={`Resolve the report of ${by}`} onClick={() => attempt(() => onResolve(report))}>
              Resolve
            </Plain>
          </div>
        )}
      {refusal && <p class="alert small" role="alert">{refusal}</p>}
    </li>
  );
}

/** A message that is quoted, with a link to it. */
export function Quoted({ room, message, people }: { room: Room; message: string; people: Cards }) {
  const page = usePage();
  const { request } = useApi();
  const loaded = useLoad(message, async () =>
    room.value.messages.find(m => m.id === message)
      ?? request("GET", `/rooms/${encodeURIComponent(room.id)}/messages/${encodeURIComponent(message)}`));
  return (
    <Shown loaded={loaded}>{m => (
      <blockquote class="p-quote">
        <div class="small">
          <b><bdi>{nameOf(page, people, m.user)}</bdi></b>, <a href={href(room.id, m.id)}><Time at={m.receivedAt} /></a>
        </div>
        {m.deletedAt ? <p class="quiet">Message deleted</p> : <p class="p-text" dir="auto">{m.text}</p>}
        {m.attachments && <Files message={m} tabIndex={0} />}
      </blockquote>
    )}</Shown>
  );
}
