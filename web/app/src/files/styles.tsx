// The styles of late code. They are loaded before it shows anything, so that nothing moves.
import type { ComponentType, VNode } from "preact";
import { cell, useValue } from "../state/cell.js";

const loaded = cell(false);
const sheet = document.createElement("link");
sheet.rel = "stylesheet";
sheet.href = new URL("late.css", import.meta.url).href;
sheet.onload = sheet.onerror = () => { loaded.value = true; }; // without styles it can still be read
document.head.append(sheet);

/** Returns a component that shows nothing before its styles are loaded. */
export const styled = <P extends object>(Part: ComponentType<P>) =>
  (props: P): VNode | null => (useValue(loaded) ? <Part {...props} /> : null);
