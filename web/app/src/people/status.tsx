import type { Card, People } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { cardOf } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { when } from "../ui/dates.js";

export type Status = NonNullable<Card["status"]>;

/** The emoji of a status that has only a text. */
const speech = "💬";
/** A timer that would last longer, a day, is not set: the page is loaded again before. */
const longest = 86_400_000;

/** Returns the status of a person, unless it has ended. */
export function statusOf(page: Page, people: People, user: string): Status | undefined {
  const status = cardOf(page, people, user)?.status;
  return status && !(status.until && Date.parse(status.until) <= page.now()) ? status : undefined;
}

/** Returns the person's own status, also when it changes or ends. */
export function useOwnStatus(): Status | undefined {
  const page = usePage();
  useValue(page.card);
  const status = statusOf(page, {}, page.me.value);
  useEnd(page, status?.until);
  return status;
}

/** Reports whether the person does not want to be disturbed now: the page then counts nothing outside itself. */
export const useQuiet = (): boolean => useOwnStatus()?.emoji === hush;

/** Returns a status in words: "In a meeting, until 15:00". */
export function statusWords({ text, until, emoji }: Status, now: Date): string {
  return [text || (emoji === hush ? "Do not disturb" : ""), until && `until ${when(until, now)}`]
    .filter(Boolean)
    .join(", ");
}

/** The emoji of a person's status, with its words as the tooltip; nothing if they have none. */
export function StatusMark({ user, people }: { user: string; people: People }) {
  const page = usePage();
  useValue(page.card); // one's own
  const status = statusOf(page, people, user);
  useEnd(page, status?.until);
  if (!status) return null;
  const words = statusWords(status, new Date(page.now()));
  return (
    <span class="status" role="img" aria-label={words || `Status: ${status.emoji}`} title={words}>
      {status.emoji || speech}
    </span>
  );
}

/** Renders the component again at a time. */
function useEnd(page: Page, at: string | undefined): void {
  const [turn, render] = useState(0);
  useEffect(() => {
    const left = at ? Date.parse(at) - page.now() : Infinity;
    if (left <= 0 || left > longest) return undefined;
    const timer = setTimeout(() => render(n => n + 1), left);
    return () => clearTimeout(timer);
  }, [at, turn]);
}

/** The emoji of somebody who does not want to be disturbed: the page of such a person counts nothing in its title. */
export const hush = "🔕";
