// The filters of a query as buttons, which write into the query.
import type { Room } from "@parley/client";
import { useRoomName } from "../inbox/card.js";
import { cardOf } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { dayOf, midnight } from "../ui/dates.js";
import { Icon } from "../ui/icons.js";
import { Menu, type MenuItem } from "../ui/menu.js";
import { type Filter, filtersOf, hasFilter, toggled, withFilter, withoutFilters } from "./query.js";

/** The filters that a button adds or takes away, and its words. */
const usual = [
  ["from", "me", "From me"], ["mentions", "me", "Mentions me"], ["has", "file", "Files"], ["has", "link", "Links"],
  ["has", "reaction", "Reactions"], ["is", "thread", "Threads"],
] as const;

const isDate = ({ name }: Filter) => /^(before|after|on)$/.test(name);

/** The buttons of the filters. onQuery changes the query, and onType also moves the focus to it. */
export function Filters({ room, query, onQuery, onType }: {
  room: Room | null; query: string; onQuery: (query: string) => void; onType: (query: string) => void;
}) {
  const here = useRoomName(room?.id ?? "");
  const others = filtersOf(query).filter(f => f.value
    && !isDate(f)
    && !(f.name === "in" && f.value === room?.id)
    && !usual.some(([name, value]) => name === f.name && value === f.value));
  return (
    <div class="s-filters" role="group" aria-label="Filters">
      {room
        ? (
          <Chip
            label={`In ${here}`}
            on={hasFilter(query, "in", room.id)}
            onClick={() => onQuery(toggledOnly(query, "in", room.id))}
          />
        )
        : <Chip label="In…" onClick={() => onType(only(query, "in", ""))} />}
      <Chip label="From…" onClick={() => onType(only(query, "from", ""))} />
      {usual.map(([name, value, label]) => (
        <Chip
          key={name + value}
          label={label}
          on={hasFilter(query, name, value)}
          onClick={() => onQuery((name === "has" ? toggled : toggledOnly)(query, name, value))}
        />
      ))}
      <Dates query={query} onQuery={onQuery} />
      {others.map(f => <Other key={f.from} filter={f} onRemove={() => onType(toggled(query, f.name, f.value))} />)}
    </div>
  );
}

/** Returns a query with a filter in place of others of its name, of which a query has one. */
const only = (query: string, name: string, value: string): string =>
  withFilter(withoutFilters(query, f => f.name === name), name, value);

const toggledOnly = (query: string, name: string, value: string): string =>
  hasFilter(query, name, value) ? toggled(query, name, value) : only(query, name, value);

function Chip({ label, on, onClick }: { label: string; on?: boolean; onClick: () => void }) {
  return (
    <button type="button" class="s-chip" aria-pressed={on} onClick={onClick}>
      <span class="cut" dir="auto">{label}</span>
    </button>
  );
}

/** A filter without a button of its own, which the button takes away. */
function Other({ filter: { name, value }, onRemove }: { filter: Filter; onRemove: () => void }) {
  const page = usePage();
  const room = useRoomName(value);
  const words = name === "in" ? room : cardOf(page, {}, value.replace(/^@/, ""))?.name ?? value;
  return (
    <button type="button" class="s-chip" aria-pressed="true" onClick={onRemove}>
      <span class="cut" dir="auto">{`${name} ${words}`}</span>
      <Icon name="close" />
    </button>
  );
}

/** The menu of the days. */
function Dates({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const page = usePage();
  const dates = filtersOf(query).filter(isDate);
  const current = dates.map(f => `${f.name} ${f.value}`).join(", ");
  const choices = choicesOf(page);
  const rest = withoutFilters(query, isDate);
  const items = (): MenuItem[] => choices.map(([label, name, day]) => ({
    label,
    checked: name ? current === `${name} ${day}` : !current,
    run: () => onQuery(name ? withFilter(rest, name, day) : rest),
  }));
  const chosen = choices.find(([, name, day]) => name && current === `${name} ${day}`)?.[0] ?? current;
  return (
    <span class={current ? "s-dates on" : "s-dates"}>
      <Menu label="Date" items={items}>
        <span class="s-chip"><span class="cut">{chosen || "Date"}</span><Icon name="chevron" /></span>
      </Menu>
    </span>
  );
}

/** Returns the choices of days: the words, and the filter. After a day means later than it. */
function choicesOf(page: Page): readonly (readonly [label: string, name: string, day: string])[] {
  const now = new Date(page.now());
  const day = (ago: number) => dayOf(midnight(now, ago));
  return [
    ["Any time", "", ""], ["Today", "on", day(0)], ["Yesterday", "on", day(1)], ["Last 7 days", "after", day(7)],
    ["Last 30 days", "after", day(30)], ["This year", "after", `${now.getFullYear() - 1}-12-31`],
  ];
}
