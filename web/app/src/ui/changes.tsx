import { compare } from "./difference.js";

/** A text with its changes from the former one, if there is one. */
export function Changes({ before, after }: { before: string | undefined; after: string }) {
  if (before === undefined) return <p class="p-text" dir="auto">{after}</p>;
  return (
    <p class="p-text" dir="auto">{compare(before, after).map((p, i) =>
      p.kind === "same" ? p.text : p.kind === "added" ? <ins key={i}>{p.text}</ins> : <del key={i}>{p.text}</del>)}
    </p>
  );
}
