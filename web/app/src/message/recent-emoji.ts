// The emoji that the person chose last.

/** Where the browser keeps the emoji that were chosen last. */
const key = "parley.emoji";
/** The emoji that are remembered, and those that are offered without a search. */
const mostRecent = 8;
const mostQuick = 3;
const usual = ["👍", "❤️", "😂"];

/** Returns the emoji that the person chose last, the newest first. */
export const recentEmoji = (): string[] => (localStorage.getItem(key) ?? "").split(" ").filter(Boolean);

/** Remembers a chosen emoji. */
export function keepEmoji(emoji: string): void {
  localStorage.setItem(key, [emoji, ...recentEmoji().filter(e => e !== emoji)].slice(0, mostRecent).join(" "));
}

/** Returns the emoji to offer without a search: the recent ones, and then usual ones. */
export const quickEmoji = (): readonly string[] => [...new Set([...recentEmoji(), ...usual])].slice(0, mostQuick);
