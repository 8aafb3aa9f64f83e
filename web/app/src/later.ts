// The parts of the timeline that are loaded after the first paint, as components.
import type { ComponentProps } from "preact";
import type * as Late from "./late.js";
import { lazy } from "./lazy.js";

const late = () => import("./late.js");

export const Companion = lazy<ComponentProps<typeof Late.Companion>>(async () => ({ default: (await late()).Companion }));
export const Confirm = lazy<ComponentProps<typeof Late.Confirm>>(async () => ({ default: (await late()).Confirm }));
export const Editor = lazy<ComponentProps<typeof Late.Editor>>(async () => ({ default: (await late()).Editor }));
export const Tools = lazy<ComponentProps<typeof Late.Tools>>(async () => ({ default: (await late()).Tools }));
export const Failure = lazy<ComponentProps<typeof Late.Failure>>(async () => ({ default: (await late()).Failure }));
export const Waiting = lazy<object>(async () => ({ default: (await late()).Waiting }));
export const Typing = lazy<ComponentProps<typeof Late.Typing>>(async () => ({ default: (await late()).Typing }));
