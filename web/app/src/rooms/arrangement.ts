// How the person arranges the list: the order, the collapsed sections, and whether rows show the newest message.
// The browser remembers it, and all of its windows agree.
import { cell } from "../state/cell.js";
import type { Order, SectionId } from "./sections.js";

export interface Arrangement {
  readonly order: Order;
  readonly collapsed: readonly SectionId[];
  readonly previews: boolean;
}

const key = "parley.list";
const usual: Arrangement = { order: "activity", collapsed: ["archived"], previews: false };

function remembered(): Arrangement {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Arrangement> };
  } catch {
    return usual;
  }
}

export const arrangement = cell(remembered());
addEventListener("storage", e => { if (e.key === key) arrangement.value = remembered(); });

export function arrange(part: Partial<Arrangement>): void {
  arrangement.value = { ...arrangement.value, ...part };
  try {
    localStorage.setItem(key, JSON.stringify(arrangement.value));
  } catch {
    // It holds for this window then.
  }
}

export function toggle(section: SectionId): void {
  const { collapsed } = arrangement.value;
  arrange({ collapsed: collapsed.includes(section) ? collapsed.filter(s => s !== section) : [...collapsed, section] });
}
