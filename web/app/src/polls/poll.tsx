// The poll of a message: its options with their votes, and the person's own vote.
import type { Message, Poll as PollState } from "@parley/client";
import type { TargetedEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Access } from "../access/access.js";
import { usePage } from "../state/page.js";
import { when } from "../ui/dates.js";
import { plain } from "../ui/markup.js";
import { hasEnded } from "./ended.js";

/** The longest timer, in milliseconds: a day. Browsers accept at most 25 days. */
const longestTimer = 86_400_000;

export function Poll({ message, access }: { message: Message; access: Access }) {
  const { chat, panel, toastError } = usePage();
  const { poll } = message;
  const ended = useEnded(poll);
  const [early, setEarly] = useState<readonly number[]>(); // chosen before the client can vote
  const last = useRef<readonly number[] | undefined>(undefined);
  if (!poll) return null;
  const choose = (choices: readonly number[]) => {
    const { value } = chat;
    if (!value) return;
    setEarly(last.current = choices);
    import("@parley/client/more").then(({ vote }) => {
      if (last.current !== choices) return undefined; // imports may end in another order
      const sent = vote(value, message, choices); // shows them
      setEarly(undefined);
      return sent;
    }).catch(e => {
      setEarly(undefined);
      toastError(e);
    });
  };
  const closed = !!access.barred || ended || !!message.status;
  const takeBack = (e: TargetedEvent<HTMLElement>) => {
    e.currentTarget.closest(".poll")?.querySelector("input")?.focus(); // the button goes
    choose([]);
  };
  return (
    <div class="poll">
      <Options message={message} poll={poll} chosen={early ?? chosenIn(poll)} closed={closed} choose={choose} />
      <div class="small quiet about">
        <span>{about(poll, ended)}</span>
        {!poll.multiple && !closed && poll.options.some(o => o.me) && (
          <button type="button" class="link" tabIndex={-1} onClick={takeBack}>Take back my vote</button>
        )}
        {!poll.anonymous && poll.voters > 0 && (
          <button type="button" class="link" tabIndex={-1} onClick={() => (panel.value = `votes:${message.id}`)}>
            Who voted
          </button>
        )}
      </div>
    </div>
  );
}

/** Returns the positions of the options that the person has chosen. */
const chosenIn = (poll: PollState) => poll.options.flatMap((o, i) => (o.me ? [i] : []));

interface OptionsProps {
  message: Message;
  poll: PollState;
  chosen: readonly number[];
  closed: boolean;
  choose(choices: readonly number[]): void;
}

function Options({ message, poll, chosen, closed, choose }: OptionsProps) {
  const id = useId();
  const change = (i: number, on: boolean) =>
    choose(!poll.multiple ? [i] : on ? [...chosen, i] : chosen.filter(n => n !== i));
  return (
    <fieldset disabled={closed} onKeyDown={optionKey}>
      <legend class="unseen">{plain(message.text)}</legend>
      {poll.options.map(({ text, votes }, i) => {
        const percent = poll.voters ? Math.min(100, Math.round(votes * 100 / poll.voters)) : 0;
        return (
          <label key={i}>
            <input
              type={poll.multiple ? "checkbox" : "radio"}
              name={id}
              checked={chosen.includes(i)}
              tabIndex={-1}
              aria-labelledby={`${id}-${i}`}
              aria-describedby={`${id}-${i}-votes`}
              onChange={e => change(i, e.currentTarget.checked)}
            />
            <span id={`${id}-${i}`} dir="auto">{text}</span>
            <span id={`${id}-${i}-votes`} class="small quiet">
              {votes === 1 ? "1 vote" : `${votes} votes`}, {percent}%
            </span>
            <span class="bar"><span style={{ width: `${percent}%` }} /></span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Up and down only move between the options, since each choice is a vote. Space and Enter vote. */
function optionKey(e: TargetedEvent<HTMLElement, KeyboardEvent>): void {
  const inputs = [...e.currentTarget.querySelectorAll("input")];
  const at = inputs.indexOf(e.target as HTMLInputElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Enter: at }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  if (e.key === "Enter") inputs[at]?.click();
  else inputs.at(to % inputs.length)?.focus();
}

/** Returns the state of a poll as one line. */
function about({ voters, multiple, anonymous, endsAt }: PollState, ended: boolean): string {
  const count = voters === 0 ? "No votes yet" : voters === 1 ? "1 voter" : `${voters} voters`;
  const end = endsAt && `${ended ? "Ended" : "Ends"} ${when(endsAt, new Date())}`;
  return [count, multiple && "Several choices", anonymous && "Anonymous", end].filter(Boolean).join(" · ");
}

/** Reports whether a poll has ended, and renders again when it does. */
function useEnded(poll: PollState | undefined): boolean {
  const page = usePage();
  const [, tick] = useState(0);
  const now = page.now();
  const ended = hasEnded(poll, now);
  useEffect(() => {
    if (!poll?.endsAt || ended) return undefined;
    const timer = setTimeout(() => tick(n => n + 1), Math.min(Date.parse(poll.endsAt) - now, longestTimer));
    return () => clearTimeout(timer);
  });
  return ended;
}
