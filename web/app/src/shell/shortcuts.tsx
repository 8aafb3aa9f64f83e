import { enterSends } from "../ui/aids.js";
import { Plain, Sheet } from "../ui/parts.js";

const control = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

type Keys = readonly [what: string, ...keys: string[]];

/** The shortcuts by where they work. A key with a + is pressed with the others. */
const groups = (): readonly (readonly [where: string, shortcuts: readonly Keys[]])[] => [
  ["Everywhere", [
    ["Find a room, a person, a message or a command", `${control}+K`], ["Search messages", `${control}+Shift+F`],
    ["Next and previous room", "Alt+↓", "Alt+↑"],
    ["Next and previous unread room or thread", "Alt+Shift+↓", "Alt+Shift+↑"], ["Oldest unread mention", "Alt+Shift+M"],
    ["Mark the room as read, mark everything", "Esc", "Shift+Esc"],
    ["New direct message", `${control}+Shift+K`],
    ["Browse rooms", `${control}+Shift+L`],
    ["Your status", `${control}+Shift+Y`],
    ["Activity, saved messages", `${control}+Shift+M`, `${control}+Shift+S`],
    ["Keyboard shortcuts", `${control}+/`, "?"],
    ["Close a dialog, a menu or a panel", "Esc"],
  ]],
  ["Writing", [
    ["Send", enterSends() ? "Enter" : `${control}+Enter`],
    ["New line", enterSends() ? "Shift+Enter" : "Enter"],
    ["Edit your last message", "↑"],
    ["Mention somebody", "@"],
    ["Link a room, find an emoji", "#", ":"], ["Bold, italic", `${control}+B`, `${control}+I`],
    ["Strike, code", `${control}+Shift+X`, `${control}+E`], ["Link on selected words", `${control}+V`],
    ["Go to the messages", "Shift+Tab"],
  ]],
  ["Messages", [
    ["Next and previous message", "↓", "↑"], ["First and last message", "Home", "End"],
    ["Actions of a message", "Enter"], ["Its sender, links and reactions", "→", "←"],
    ["React, reply in thread", "R", "T"], ["Quote, forward", ">", "F"], ["Edit, delete", "E", "Delete"],
    ["Copy link, pin", "L", "P"], ["Save, mark as unread", "A", "U"], ["Back to writing", "Esc"],
  ]],
  ["Rooms in the list", [["Actions of a room", "Shift+F10"]]],
];

/** The dialog that lists the keyboard shortcuts. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Sheet title="Keyboard shortcuts" long onClose={onClose}>
      {groups().map(([where, shortcuts]) => (
        <section key={where} class="p-section" aria-label={where}>
          <h3>{where}</h3>
          <dl class="keys">{shortcuts.map(([what, ...keys]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{keys.map((key, i) => <>{i > 0 && " "}<kbd key={key}>{key}</kbd></>)}</dd>
            </div>
          ))}</dl>
        </section>
      ))}
      <div class="acts"><Plain onClick={onClose}>Close</Plain></div>
    </Sheet>
  );
}
