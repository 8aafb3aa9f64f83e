// The parts of the timeline that are loaded after the first paint, as components.
import type { ComponentType } from "preact";
import type * as Late from "./late.js";
import { lazy } from "../ui/lazy.js";

type Parts = Omit<typeof Late, "missed">;
type PropsOf<K extends keyof Parts> = Parameters<Parts[K]> extends [infer P extends object] ? P : object;

const part = <K extends keyof Parts>(name: K) => lazy<PropsOf<K>>(async () => {
  const late = await import("./late.js");
  return { default: late[name] as ComponentType<PropsOf<K>> };
});

export const Companion = part("Companion");
export const Editor = part("Editor");
export const Tools = part("Tools");
export const FetchedQuote = part("FetchedQuote");
export const Failure = part("Failure");
export const Poll = part("Poll");
export const Waiting = part("Waiting");
export const Typing = part("Typing");
