// The threads that the person follows in all rooms, the unread ones first.
import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { usePages } from "../api/load.js";
import type { OwnThreadPage } from "../api/types.js";
import { MessageCard, openThread } from "../inbox/card.js";
import { useCards } from "../people/cards.js";
import { nameOf } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { More, Plain, Shown } from "../ui/parts.js";

/** The largest count of unread messages that the server returns. */
const manyUnread = 1000;
/** Events within this time reload the list once. */
const settle = 500;

export function Threads({ room }: { room: Room | null }) {
  const page = usePage();
  const pages = usePages<OwnThreadPage>("/people/me/threads");
  const all = (pages.value ?? []).flatMap(p => p.items);
  const threads = [...all.filter(t => t.unread), ...all.filter(t => !t.unread)];
  const people = useCards(room, threads.map(t => t.message.user));
  useNews(page, pages.reload);
  return (
    <Shown loaded={pages}>{() => (
      <>
        <ul>{threads.map(({ message: m, unread }) => {
          const count = unread >= manyUnread ? `${manyUnread - 1}+` : unread;
          const replies = m.replies?.count ?? 0;
          const words = replies === 1 ? "1 reply" : `${replies || "No"} replies`;
          return (
            <MessageCard
              key={`${m.room} ${m.id}`}
              message={m}
              people={people}
              {...(unread && { note: `${count} unread` })}
            >
              <Plain
                aria-label={`${words} to ${nameOf(page, people, m.user)}`}
                onClick={() => openThread(page, m.room, m.id)}
              >
                {words}
              </Plain>
            </MessageCard>
          );
        })}</ul>
        {!threads.length && !pages.hasMore && (
          <p class="p-state">
            You follow no threads. You follow those in which you reply, and those of your own messages.
          </p>
        )}
        <More pages={pages} what="threads" />
      </>
    )}</Shown>
  );
}

/** Calls fn soon after a reply in the current room, a change of a thread, or of the list of rooms. */
function useNews({ chat, list }: Page, fn: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(fn, settle);
    };
    const listener = (e: { type: string }) => {
      if (/^(reply\.created|counts\.changed|thread\.changed)$/.test(e.type)) soon();
    };
    const ends = [chat.value?.on("change", listener), chat.value?.on("personal", listener), list.subscribe(soon)];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end?.();
    };
  }, []);
}
